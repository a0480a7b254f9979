package pg

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// account is the user that PostgreSQL runs as. PostgreSQL refuses to run as root, because a fault of it would
// then own the machine.
type account struct {
	uid, gid int
	name     string
	// drop means that this process is root and the server is not, so files have to be handed over.
	drop bool
}

// accountFor chooses the user: this process's own when it is not root. For root it is the owner of an existing
// cluster, else postgres or nobody, whichever the system has. cluster is empty when there is none yet. A
// cluster that belongs to root is an error, because no user could run it.
func accountFor(cluster string) (account, error) {
	if me := os.Geteuid(); me != 0 {
		return account{uid: me, gid: os.Getegid(), name: strconv.Itoa(me)}, nil
	}
	if info, err := os.Stat(cluster); cluster != "" && err == nil {
		uid, gid := owner(info)
		if uid == 0 {
			return account{}, fmt.Errorf("the cluster %s belongs to root, and PostgreSQL does not run as root", cluster)
		}
		return account{uid: uid, gid: gid, name: strconv.Itoa(uid), drop: true}, nil
	}
	// "postgres" is preferred, as "nobody" may own files of other services.
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.Atoi(u.Uid)
		gid, errGID := strconv.Atoi(u.Gid)
		if errUID == nil && errGID == nil && uid != 0 {
			return account{uid: uid, gid: gid, name: name, drop: true}, nil
		}
	}
	return account{}, errors.New("root has no user to run PostgreSQL as: make a user named postgres, or set ROLLCALL_DATABASE_URL")
}

// give hands an empty directory to the account and closes it to everybody else. PostgreSQL refuses a cluster
// that others can read.
func (a account) give(dir string) error {
	if a.drop {
		if err := os.Lchown(dir, a.uid, a.gid); err != nil {
			return fmt.Errorf("give %s to user %s: %w", dir, a.name, err)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a directory needs the x bit
		return fmt.Errorf("close %s to others: %w", dir, err)
	}
	return nil
}

// reaches reports whether the account may pass through path and every directory above it, by their mode bits.
// Access lists are not considered. It is false for a path that does not exist.
func (a account) reaches(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(real)
		if err != nil {
			return false
		}
		// As in the kernel, the first class that fits decides: owner, then group, then others.
		need := os.FileMode(0o001)
		switch uid, gid := owner(info); {
		case uid == a.uid:
			need = 0o100
		case gid == a.gid:
			need = 0o010
		}
		if info.Mode().Perm()&need == 0 {
			return false
		}
		if real == filepath.Dir(real) {
			return true
		}
		real = filepath.Dir(real)
	}
}
