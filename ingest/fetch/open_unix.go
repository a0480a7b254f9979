//go:build unix

package fetch

import "syscall"

// noFollow opens neither a symbolic link nor waits for the writer of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
