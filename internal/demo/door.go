package demo

import (
	"context"
	"time"

	"rollcall/auth"
	"rollcall/models"
)

// stay is how long the demo's link signs in. It may be opened any number of times until then.
const stay = 7 * 24 * time.Hour

// Door returns an address that signs in to the demo's account as owner and operator, without a password. There
// are only invented people behind it, and the demo listens on this machine only.
func (d *Demo) Door(ctx context.Context) (string, error) {
	u, err := d.Store.UserByEmail(ctx, Email)
	if models.CodeOf(err) == models.CodeNotFound {
		u, err = d.user(ctx)
	}
	if err != nil {
		return "", err
	}
	l := &models.SignInLink{Kind: models.Enter, AccountID: u.AccountID, UserID: &u.ID, Email: u.Email, Role: u.Role}
	return d.SignIn(ctx, l, "/enter/", stay)
}

// user makes the demo's user through an invitation, with a random password that is not kept. Only the link of
// Door signs in.
func (d *Demo) user(ctx context.Context) (*models.User, error) {
	account, err := d.Store.AccountByEmail(ctx, Email)
	if err != nil {
		return nil, err
	}
	l := &models.SignInLink{Kind: models.Invitation, AccountID: account.ID, Email: Email, Role: models.Owner, Operator: true}
	if _, err := d.SignIn(ctx, l, "/invitation/", stay); err != nil {
		return nil, err
	}
	passwords, err := auth.NewPasswords(nil)
	if err != nil {
		return nil, err
	}
	hash, err := passwords.Hash(ctx, auth.NewToken(), Email)
	if err != nil {
		return nil, err
	}
	return d.Store.AcceptInvitation(ctx, l.SHA256, hash)
}
