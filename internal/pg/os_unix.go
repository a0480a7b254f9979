//go:build unix

package pg

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// owner returns the user and group that a file belongs to.
func owner(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}

// tryLock takes the lock on f, shared or exclusive, for as long as f is open. It returns false when another
// process has it.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// detach makes cmd run as acct in a process group of its own. A Ctrl-C in the terminal then reaches rollcall
// alone, which stops the server in good order. orphaned is the signal for the child when its parent dies.
func detach(cmd *exec.Cmd, acct account, orphaned syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if acct.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(acct.uid), Gid: uint32(acct.gid)} //nolint:gosec // ids come from the system
	}
	dieWithParent(cmd.SysProcAttr, orphaned)
}
