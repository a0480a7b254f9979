package demo

import (
	"context"
	"time"

	"rollcall/auth"
	"rollcall/models"
)

// stay is how long the demo's link signs in.
const stay = 7 * 24 * time.Hour

// Door returns an address that signs in to the demo's account as owner and operator, without a password: there are only
// invented people behind it.
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

// user makes the demo's user with a password that nobody knows.
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
