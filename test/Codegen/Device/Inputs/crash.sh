#!/bin/sh
echo "stack dump: 1 2 3" >&2
kill -SEGV $$
