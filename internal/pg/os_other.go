//go:build !unix

package pg

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// owner knows no owners here. The functions of this file let the package compile where it cannot run.
func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }

// tryLock refuses: without a lock that ends with its process, two owners could destroy a cluster.
func tryLock(*os.File, bool) (bool, error) {
	return false, errors.New("the embedded database runs on Linux and other Unix systems only: set ROLLCALL_DATABASE_URL")
}

func detach(*exec.Cmd, account, syscall.Signal) {}

func servers(string) []int { return nil }

func memory() int64 { return 4 << 30 }
