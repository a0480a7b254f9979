package testdb

import (
	"os"
	"syscall"
)

// parentDir is where test clusters live: in memory when there is room, which makes a database six times quicker to copy.
func parentDir() string {
	const shm, room = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(shm, &fs) == nil && fs.Bavail*uint64(fs.Bsize) > room { //nolint:gosec // a size is positive
		return shm
	}
	return os.TempDir()
}
