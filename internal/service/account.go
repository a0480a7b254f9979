package service

import (
	"context"
	"time"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

// SignInLink stores a link for one use and returns its address. The database keeps only the hash of its token.
func (a *App) SignInLink(ctx context.Context, store *store.Store, l *models.SignInLink, path string, life time.Duration) (string, error) {
	token := auth.NewToken()
	l.SHA256, l.CreatedBy, l.ExpiresAt = auth.HashToken(token), models.CommandLine, time.Now().Add(life).UTC()
	return a.Root() + path + token, store.CreateSignInLink(ctx, l)
}

// Secrets returns what shows and replaces the webhook secrets of accounts.
func (a *App) Secrets(store *store.Store) (*notifier.Secrets, error) {
	key, err := a.Secret()
	if err != nil {
		return nil, err
	}
	seal, err := notifier.NewSealer(key)
	if err != nil {
		return nil, err
	}
	return &notifier.Secrets{Store: store, Seal: seal}, nil
}
