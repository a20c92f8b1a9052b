#!/bin/sh
# Installs Kelid from this unpacked archive. Fetches nothing.
set -eu
umask 022

here=$(cd -- "$(dirname -- "$0")" && pwd)
. "$here/packaging/functions.sh"

result=/etc/kelid.install-result.env

usage() {
  cat <<'END'
Usage: ./install.sh [OPTION]...

  --public-url URL     address at which visitors reach Kelid, for example https://vpn.example.org
  --admin-email EMAIL  e-mail of the first administrator
  --agent-url URL      https address at which the hosts reach Kelid, for example https://vpn.example.org:8443
  --port PORT          port that the proxy in front connects to (8080)
  --set NAME=VALUE     any other setting; docs/operations.md lists them
  --unattended         ask nothing, and write the first password to /etc/kelid.install-result.env

Variables of the environment with the names of settings (KELID_PUBLIC_URL, DATABASE_URL, PORT ...) are taken too.
A second run changes only the settings that are named. Kelid serves HTTP: a proxy in front of it holds the certificate.
END
}

is_unattended=no
# The settings that were named, one NAME=value in each line.
named=''
newline='
'

# A value without quotes and line breaks means the same to systemd and to us.
name_setting() {
  case $2 in
    *[\'\"\\]* | *"$newline"*) fail "$1 must not contain quotes, backslashes or line breaks." ;;
  esac
  named=$named$1=$2$newline
}

read_options() {
  while [ $# -gt 0 ]; do
    option=$1
    shift
    case $option in
      --unattended) is_unattended=yes ;;
      --help | -h) usage && exit 0 ;;
      --public-url | --admin-email | --agent-url | --port | --set)
        [ $# -gt 0 ] || fail "$option needs a value."
        case $option in
          --public-url) name_setting KELID_PUBLIC_URL "$1" ;;
          --admin-email) name_setting KELID_ADMIN_EMAIL "$1" ;;
          --agent-url) name_setting KELID_AGENT_URL "$1" ;;
          --port) name_setting PORT "$1" ;;
          --set)
            setting=${1%%=*}
            case $1 in *=*) ;; *) setting='' ;; esac
            printf '%s\n' "$names" | grep -qxF -- "${setting:-=}" || fail "There is no setting \"$setting\"."
            name_setting "$setting" "${1#*=}"
            ;;
        esac
        shift
        ;;
      *) usage >&2 && fail "There is no option $option." ;;
    esac
  done
}

# HOST is not taken: many shells have a variable of this name.
read_environment() {
  for name in $names; do
    [ "$name" = HOST ] && continue
    eval "value=\${$name-}"
    [ -z "$value" ] || name_setting "$name" "$value"
  done
}

value_in() { printf '%s\n' "$1" | sed -n "s/^$2=//p" | tail -n 1; }
is_named() { printf '%s\n' "$named" | grep -q "^$1="; }
use_unless_named() { is_named "$1" || named=$named$1=$2$newline; }

ask() {
  is_named "$1" && return
  printf '%s: ' "$2"
  IFS= read -r answer || answer=''
  [ -z "$answer" ] || name_setting "$1" "$answer"
}

ask_settings() {
  say 'Kelid serves HTTP to a proxy on this machine, which holds the certificate for visitors.'
  ask KELID_PUBLIC_URL 'Address for visitors, such as https://vpn.example.org (empty: none yet)'
  ask KELID_AGENT_URL 'Address for the hosts, such as https://vpn.example.org:8443 (empty: none yet)'
  ask KELID_ADMIN_EMAIL 'E-mail of the first administrator (empty: admin@kelid.lan)'
}

add_defaults() {
  use_unless_named KELID_DATA_DIR "$data"
  case $(value_in "$named" KELID_PUBLIC_URL) in
    https://*) use_unless_named KELID_TRUST_PROXY 1 ;;
  esac
  [ -z "$(value_in "$named" KELID_AGENT_URL)" ] || use_unless_named KELID_AGENT_HOST 0.0.0.0
}

# Lines of the file stay in their order; named settings replace theirs or follow.
write_settings() {
  umask 077
  draft=$settings.draft
  : >"$draft"
  if [ -f "$settings" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      is_named "${line%%=*}" || printf '%s\n' "$line" >>"$draft"
    done <"$settings"
  fi
  printf '%s' "$named" | awk -F= '{ last[$1] = $0; order[$1] = NR } END { for (name in last) print order[name] "\t" last[name] }' |
    sort -n | cut -f 2- | while IFS= read -r line; do
    # systemd removes white space at the ends of a value without quotes.
    printf '%s="%s"\n' "${line%%=*}" "${line#*=}"
  done >>"$draft"
  (
    settings=$draft
    load_settings
    [ "${PORT:-8080}" != 0 ] || fail 'PORT must not be 0: the proxy in front needs to know it.'
    "$node" "$here/packaging/check-settings.mjs"
  ) || {
    rm -f "$draft"
    exit 1
  }
  mv "$draft" "$settings"
  umask 022
}

check_system() {
  require_root
  [ -d /run/systemd/system ] || fail 'Kelid runs as a service of systemd, which does not run here.'
  for program in useradd setpriv sha256sum; do
    command -v "$program" >/dev/null || fail "The program $program is missing."
  done
  check_sums "$here"
  node=$(node_of "$here")
  "$node" --version >/dev/null 2>&1 ||
    fail "Node.js of this archive does not run here: it needs $(basename "$here" | sed 's/.*-linux-//') and glibc 2.28 or newer."
}

# Without these the product works, but it cannot set up hosts.
say_what_is_missing() {
  "$current/ansible/bin/ansible-playbook" --version >/dev/null 2>&1 ||
    say "Hosts cannot be set up yet. $("$current/ansible/bin/ansible-playbook" --version 2>&1 | tail -n 1)"
  command -v ssh >/dev/null || say 'Hosts cannot be set up yet: install the package openssh-client.'
}

create_user() {
  id kelid >/dev/null 2>&1 ||
    useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin kelid
  install -d -o kelid -g kelid -m 700 "$data" "$backups" /var/cache/kelid
}

# The service would print the first password into the journal, where others may read it.
create_administrator() {
  [ -z "$(value_of DATABASE_URL)" ] || return 0
  [ ! -d "$(value_of KELID_DATA_DIR)/postgres" ] || return 0
  email=$(value_of KELID_ADMIN_EMAIL)
  email=${email:-admin@kelid.lan}
  text=$(cli create-admin "$email")
  password=$(printf '%s\n' "$text" | sed -n 's/^Password: //p')
  [ -n "$password" ] || fail "$text"
}

show_administrator() {
  [ -n "${password-}" ] || return 0
  if [ "$is_unattended" = yes ]; then
    (
      umask 077
      printf '%s="%s"\n' KELID_ADMIN_EMAIL "$email" KELID_ADMIN_PASSWORD "$password" >"$result"
    )
    say "The first administrator is in $result, which only root can read. Change the password, then delete the file."
  else
    say ''
    say '  The first administrator:'
    say "    e-mail    $email"
    say "    password  $password"
    say '  The password is shown only once. Sign in and change it.'
    say ''
  fi
}

put_command() {
  mkdir -p "$(dirname "$command")" "$(dirname "$completion")"
  ln -sfn "$current/packaging/kelid" "$command"
  ln -sfn "$current/packaging/completion.bash" "$completion"
}

main() {
  check_system
  names=$("$node" "$here/packaging/check-settings.mjs" --names)
  read_environment
  read_options "$@"
  if [ -e "$current" ] && [ "$(version_of "$current")" != "$(version_of "$here")" ]; then
    fail "Version $(version_of "$current") is installed. Use \"kelid upgrade ARCHIVE\" to change it."
  fi
  if [ ! -f "$settings" ]; then
    if [ -t 0 ] && [ "$is_unattended" = no ]; then ask_settings; fi
    add_defaults
  fi
  write_settings
  create_user
  put_version "$here"
  switch_to "$(version_of "$here")"
  put_command
  create_administrator
  add_core
  write_unit
  systemctl enable --quiet kelid
  show_administrator
  systemctl stop kelid
  start_service || fail 'Kelid does not start. "kelid logs" says why.'
  say "Kelid $(version_of "$here") runs. \"kelid help\" shows its commands."
  say "It serves HTTP at port $(port=$(value_of PORT) && printf '%s' "${port:-8080}") of this machine. A proxy with a certificate belongs in front: $current/docs/operations.md, \"TLS and a proxy in front\"."
  say_what_is_missing
}

main "$@"
