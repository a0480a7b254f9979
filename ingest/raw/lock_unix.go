//go:build unix

package raw

import (
	"errors"
	"os"
	"syscall"
)

// holdFile waits for the lock of f and takes it, for as long as f is open.
func holdFile(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// nobodyHolds reports whether f has no lock, and takes it then.
func nobodyHolds(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
