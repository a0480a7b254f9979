package main

import (
	"context"
	"time"

	"rollcall/auth"
	"rollcall/models"
)

// demoStay is how long the demo's link lets its reader in.
const demoStay = 7 * 24 * time.Hour

// demoDoor gives an address that signs in to the demo's account as owner and operator, without a password: there are only
// invented people behind it.
func demoDoor(ctx context.Context, a *App, s *service) (string, error) {
	u, err := s.store.UserByEmail(ctx, demoEmail)
	if models.CodeOf(err) == models.CodeNotFound {
		u, err = demoUser(ctx, a, s)
	}
	if err != nil {
		return "", err
	}
	l := &models.SignInLink{Kind: models.Enter, AccountID: u.AccountID, UserID: &u.ID, Email: u.Email, Role: u.Role}
	return a.signInLink(ctx, s.store, l, "/enter/", demoStay)
}

// demoUser makes the demo's user with a password that nobody knows.
func demoUser(ctx context.Context, a *App, s *service) (*models.User, error) {
	account, err := s.store.AccountByEmail(ctx, demoEmail)
	if err != nil {
		return nil, err
	}
	l := &models.SignInLink{Kind: models.Invitation, AccountID: account.ID, Email: demoEmail, Role: models.Owner, Operator: true}
	if _, err := a.signInLink(ctx, s.store, l, "/invitation/", demoStay); err != nil {
		return nil, err
	}
	passwords, err := auth.NewPasswords(nil)
	if err != nil {
		return nil, err
	}
	hash, err := passwords.Hash(ctx, auth.NewToken(), demoEmail)
	if err != nil {
		return nil, err
	}
	return s.store.AcceptInvitation(ctx, l.SHA256, hash)
}
