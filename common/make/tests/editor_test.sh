#!/bin/sh
# Tests clangd with build/compile_commands.json: it must have no messages about the sources of the
# labs, and must complete names.
#
#   editor_test.sh COMMANDS SOURCE...
#
# A file with an error must have a message, which proves that the test can fail.

command -v clangd >/dev/null || { echo 'no clangd here'; exit 77; }
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
commands=$1
shift
cp "$commands" "$folder/compile_commands.json" || exit

# Prints the errors and warnings that an editor would show for a file.
complaints() { clangd --check="$PWD/$1" --compile-commands-dir="$folder" 2>&1 | sed -n 's/^E\[[^]]*\] *\[/[/p'; }

for source; do
  said=$(complaints "$source")
  [ -z "$said" ] || { echo "$source:"; echo "$said"; bad=1; }
done

# Requests completions after "threadIdx.", with the messages that an editor sends.
message() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }
uri=file://$PWD/$1
text='__global__ void f(real *out) { out[threadIdx.'
{
  message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
  message "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"$uri\",\
\"languageId\":\"cuda\",\"version\":1,\"text\":\"#include \\\"lab.h\\\"\\n$text\"}}}"
  message "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"textDocument/completion\",\"params\":{\"textDocument\":{\"uri\":\
\"$uri\"},\"position\":{\"line\":1,\"character\":${#text}}}}"
  message '{"jsonrpc":"2.0","id":3,"method":"shutdown"}'
  message '{"jsonrpc":"2.0","method":"exit"}'
} | clangd --sync --compile-commands-dir="$folder" 2>/dev/null | tr -d '\r' >"$folder/answers"
for member in x y z; do
  grep -q "\"filterText\":\"$member\"\|\"insertText\":\"$member\"" "$folder/answers" ||
    { echo "behind threadIdx. nobody offers $member"; bad=1; }
done

# The control: a copy of the first source with an undeclared name.
wrong=$folder/wrong.cu
{ cat "$1"; echo '__global__ void nothing() { threadIdx.w; }'; } >"$wrong"
sed "s|\"$1\"|\"$wrong\"|; s|-c $1\"|-c $wrong\"|" "$commands" >"$folder/compile_commands.json"
clangd --check="$wrong" --compile-commands-dir="$folder" 2>&1 | grep -q "no member named 'w'" ||
  { echo 'a member that is not there goes unnoticed'; bad=1; }
exit "${bad:-0}"
