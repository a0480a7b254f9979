package pg

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent asks the kernel to send sig to the child when the thread that started it ends, even by kill -9.
func dieWithParent(attr *syscall.SysProcAttr, sig syscall.Signal) {
	attr.Pdeathsig = sig
}

// servers returns the process ids of the cluster's server. A postmaster and its backends have PGDATA as their
// working directory, so a reused process id is never taken for one of them.
func servers(cluster string) []int {
	real, err := filepath.EvalSymlinks(cluster)
	if err != nil {
		return nil
	}
	dirs, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		return nil
	}
	var pids []int
	for _, cwd := range dirs {
		at, err := os.Readlink(cwd)
		if err != nil || at != real {
			continue
		}
		proc := filepath.Dir(cwd)
		// A shell of an operator may stand in the directory too; it must not be killed.
		comm, err := os.ReadFile(filepath.Join(proc, "comm")) //nolint:gosec // below /proc
		if err != nil || strings.TrimSpace(string(comm)) != "postgres" {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(proc)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// memory returns the bytes that this process may use: the machine's, or those of its control group if they are
// fewer.
func memory() int64 {
	total := int64(1 << 30)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			if kb, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				total = kb << 10
			}
		}
	}
	// The two files are those of version 2 and version 1 of control groups.
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file) //nolint:gosec // constant paths
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
			total = min(total, limit)
		}
	}
	return total
}
