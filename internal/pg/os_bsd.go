//go:build unix && !linux

package pg

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent does nothing: only Linux can tie a child's life to its parent's. A server that outlives a
// killed rollcall is found by its pid file and stopped by the next start.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// servers returns the postmaster that the cluster's pid file names if that process lives.
func servers(cluster string) []int {
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return nil
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 1 || syscall.Kill(pid, 0) != nil {
		return nil
	}
	return []int{pid}
}

// memory returns a modest guess in bytes.
func memory() int64 { return 4 << 30 }
