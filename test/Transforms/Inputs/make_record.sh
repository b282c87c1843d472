# make_record.sh KERNEL.mlir FORMULA: prints a database with one record of the
# kernel, for the version that was built. FORMULA is JSON.
root=$(dirname "$0")/../../..
hash=$(swizzle-opt "$1" --swizzle-print-kernel -o /dev/null | sed -n 's/^hash //p')
version=$(sed -n 's/^project(Swizzle VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
sed -e "s/HASH/$hash/" -e "s/VERSION/$version/" -e "s|FORMULA|$2|" "$root/test/Transforms/Inputs/record.db"
