package service

import (
	"context"
	"strings"
	"time"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

// SignInLink stores a link that works once and returns its address: the public address of the service, path and
// a token. l has the kind, the account and the person; SignInLink sets its token, its maker and its end, which
// is life from now. The database keeps only the hash of the token, so the address cannot be shown again.
func (a *App) SignInLink(ctx context.Context, store *store.Store, l *models.SignInLink, path string, life time.Duration) (string, error) {
	token := auth.NewToken()
	l.SHA256, l.CreatedBy, l.ExpiresAt = auth.HashToken(token), models.CommandLine, time.Now().Add(life).UTC()
	return strings.TrimSuffix(a.PublicURL(), "/v1") + path + token, store.CreateSignInLink(ctx, l)
}

// Secrets returns what shows and replaces the webhook secrets of accounts. Its cipher needs the secret key of
// the service; without the key that encrypted a secret nobody can read it.
func (a *App) Secrets(store *store.Store) (*notifier.Secrets, error) {
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	seal, err := notifier.NewSealer(secrets...)
	if err != nil {
		return nil, err
	}
	return &notifier.Secrets{Store: store, Seal: seal}, nil
}
