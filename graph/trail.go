package graph

import (
	"context"

	"rollcall/auth"
	"rollcall/models"
)

// trail notes in the account's trail what somebody did on a page, such as who ended a watch. What programs do with a key is
// left to them: it would bury what people did.
func (r *Resolver) trail(ctx context.Context, action, subject string) error {
	c, ok := auth.FromContext(ctx)
	if !ok || c.UserID == "" {
		return nil
	}
	u, err := r.store.User(ctx, c.Account.ID, c.UserID)
	if err != nil {
		return err
	}
	return r.store.RecordEvent(ctx, models.AccountEvent{AccountID: c.Account.ID, Actor: u.Email, Action: action, Subject: subject})
}

// changeOf is what a change of an alert is called in the trail.
func changeOf(paused *bool) string {
	switch {
	case paused == nil:
		return "alert changed"
	case *paused:
		return "alert paused"
	}
	return "alert resumed"
}
