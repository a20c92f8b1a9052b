# shellcheck shell=bash
_kelid() {
  local word=${COMP_WORDS[COMP_CWORD]}
  local commands='status logs start stop restart version upgrade rollback uninstall help
    create-admin reset-password set-level remove-second-factor backup restore check doctor core ssh-key'
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  elif [[ ${COMP_WORDS[1]} == core && $COMP_CWORD == 2 ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'add build list' -- "$word")
  else
    compopt -o default
    COMPREPLY=()
  fi
}
complete -F _kelid kelid
