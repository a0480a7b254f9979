package service

import (
	"os"
	"os/user"
	"strconv"
)

// Operator names the person at the command line in an audit trail: the user of the operating system, or the
// numeric id of a user without a name.
func Operator() string {
	name := "uid " + strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return "command line, " + name
}
