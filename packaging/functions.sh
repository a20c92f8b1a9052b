# shellcheck shell=sh
# Shared by install.sh and the command kelid.

versions=/opt/kelid
current=$versions/current
data=/var/lib/kelid
backups=$data/backups
settings=/etc/kelid.env
unit=/etc/systemd/system/kelid.service
command=/usr/local/bin/kelid
completion=/usr/local/share/bash-completion/completions/kelid

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

require_root() { [ "$(id -u)" = 0 ] || fail 'This needs root: run it with sudo.'; }

# Reads the settings as systemd does: one NAME=value in each line, without expansion.
load_settings() {
  [ -r "$settings" ] || fail "There are no settings in $settings: run install.sh of the archive."
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      [A-Z]*=*) ;;
      *) continue ;;
    esac
    name=${line%%=*}
    value=${line#*=}
    case $value in
      \"*\" | \'*\')
        value=${value#?}
        value=${value%?}
        ;;
    esac
    case $name in
      *[!A-Z0-9_]* | PATH) ;;
      *) export "$name=$value" ;;
    esac
  done <"$settings"
}

# as_kelid FOLDER PROGRAM...: runs a program of the version in the folder as the product's user, with its settings.
as_kelid() (
  folder=$1
  shift
  load_settings
  NODE_COMPILE_CACHE=/var/cache/kelid
  PATH=$folder/ansible/bin:$PATH
  export NODE_COMPILE_CACHE PATH
  exec setpriv --reuid=kelid --regid=kelid --init-groups "$@"
)

node_of() { printf '%s' "$1/node_modules/.bin/node"; }
cli() { cli_of "$current" "$@"; }
cli_of() (
  folder=$1
  shift
  as_kelid "$folder" "$(node_of "$folder")" "$folder/apps/api/run.mjs" cli "$@"
)

version_of() { cat "$1/VERSION" 2>/dev/null; }

# check_sums FOLDER: every file is there and unchanged, and there is no other.
check_sums() {
  [ -f "$1/SHA256SUMS" ] || fail "$1 is not a Kelid archive: it has no SHA256SUMS."
  (cd "$1" && sha256sum --check --strict --quiet SHA256SUMS >/dev/null 2>&1) ||
    fail "$1 is damaged: a file differs from SHA256SUMS. Copy the archive again."
  listed=$(wc -l <"$1/SHA256SUMS")
  found=$(cd "$1" && find . -type f ! -path ./SHA256SUMS | wc -l)
  [ "$listed" -eq "$found" ] || fail "$1 is damaged: it has files that are not in SHA256SUMS. Copy the archive again."
}

# put_version FOLDER: copies an unpacked archive to its place, completely or not at all.
put_version() {
  from=$1
  version=$(version_of "$from")
  case $version in
    '' | .* | */* | current) fail "$from/VERSION is not a version." ;;
  esac
  place=$versions/$version
  if [ -d "$place" ]; then
    cmp -s "$from/SHA256SUMS" "$place/SHA256SUMS" ||
      fail "Another build of version $version is installed in $place."
    return
  fi
  mkdir -p "$versions"
  draft=$versions/.$version.draft
  rm -rf "$draft"
  cp -R "$from" "$draft"
  chown -R 0:0 "$draft"
  chmod -R u=rwX,go=rX "$draft"
  check_sums "$draft"
  compile_python "$draft"
  chmod 755 "$versions"
  mv "$draft" "$place"
}

# Ansible starts faster with compiled modules, and a run may not write them.
compile_python() {
  [ -x /usr/bin/python3 ] || return 0
  /usr/bin/python3 -m compileall -q -j 0 "$1/ansible" >/dev/null 2>&1 || true
}

# Points "current" to a version without a moment in which it does not exist.
switch_to() {
  ln -sfn "$1" "$versions/.current"
  mv -T "$versions/.current" "$current"
}

write_unit() {
  cmp -s "$current/packaging/kelid.service" "$unit" && return
  cp "$current/packaging/kelid.service" "$unit"
  chmod 644 "$unit"
  systemctl daemon-reload
}

# Waits until the service answers; ends early when it ends.
wait_until_ready() (
  load_settings
  case ${HOST:-127.0.0.1} in
    0.0.0.0) host=127.0.0.1 ;;
    ::) host='[::1]' ;;
    *:*) host="[$HOST]" ;;
    *) host=${HOST:-127.0.0.1} ;;
  esac
  url=http://$host:${PORT:-8080}/readyz
  for _ in $(seq 1 "${1:-300}"); do
    [ "$(systemctl show --property=NRestarts --value kelid)" = 0 ] || return 1
    answers "$url" && return 0
    sleep 1
  done
  return 1
)

answers() {
  "$(node_of "$current")" -e '
    fetch(process.argv[1], { signal: AbortSignal.timeout(2000) }).then(
      (reply) => process.exit(reply.ok ? 0 : 1),
      () => process.exit(1),
    )' "$1"
}

start_service() {
  systemctl reset-failed kelid 2>/dev/null
  systemctl start kelid && wait_until_ready "$@"
}

value_of() (
  load_settings
  eval "printf '%s' \"\${$1-}\""
)

add_core() {
  sum=$(sha256sum <"$current/core/xray" | cut -d ' ' -f 1)
  cli core list 2>/dev/null | grep -q "$sum" || cli core add "$current/core/xray" >/dev/null
}
