package service

import (
	"context"
	"os"
	"os/user"
	"strconv"

	"rollcall/models"
	"rollcall/models/store"
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

// Record adds a line about a command to the audit trail of an account. It names the operator who ran it.
func Record(ctx context.Context, st *store.Store, account, action, subject string) error {
	return st.RecordEvent(ctx, models.AccountEvent{AccountID: account, Actor: Operator(), Action: action, Subject: subject})
}
