package service

import (
	"context"
	"slices"

	"rollcall/ingest/raw"
	"rollcall/internal/aead"
	"rollcall/models/encrypted"
	"rollcall/models/store"
	"rollcall/notifier"
)

// KeyUse is a secret key and how much is encrypted under it.
type KeyUse struct {
	// ID is in hexadecimal; empty for what was stored before keys had ids.
	ID string
	// Present means that what is stored now is encrypted under it.
	Present bool
	// Given means that this process can read what is under it.
	Given bool
	// Documents, Rows and Secrets are the archived documents, quarantined rows and webhook secrets under it.
	Documents, Rows, Secrets int
}

// Values is how many values are under the key.
func (u KeyUse) Values() int { return u.Documents + u.Rows + u.Secrets }

// KeysInUse returns the secret keys: the present one, older ones that are given, and others under which something is stored.
func (a *App) KeysInUse(ctx context.Context, store *store.Store) ([]KeyUse, error) {
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	var all []KeyUse
	for i, secret := range secrets {
		id, err := aead.IDOf(secret)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(u KeyUse) bool { return u.ID == id.String() }) {
			all = append(all, KeyUse{ID: id.String(), Present: i == 0, Given: true})
		}
	}
	counts, err := store.UnderKeys(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		var name string
		if id, known := aead.KeyOf(c.Key); known {
			name = id.String()
		}
		i := slices.IndexFunc(all, func(u KeyUse) bool { return u.ID == name })
		if i < 0 {
			i = len(all)
			all = append(all, KeyUse{ID: name})
		}
		switch c.Kind {
		case encrypted.Documents:
			all[i].Documents += c.Count
		case encrypted.Rows:
			all[i].Rows += c.Count
		case encrypted.Secrets:
			all[i].Secrets += c.Count
		}
	}
	if i := slices.IndexFunc(all, func(u KeyUse) bool { return u.ID == "" }); i >= 0 {
		all[i].Given, err = opensOld(ctx, store, secrets)
	}
	return all, err
}

// opensOld reports whether the keys open one value of each kind from before keys had ids.
func opensOld(ctx context.Context, store *store.Store, secrets [][]byte) (bool, error) {
	samples, err := store.WithoutID(ctx)
	if err != nil {
		return false, err
	}
	archive, err := raw.NewSeal(secrets...)
	if err != nil {
		return false, err
	}
	webhooks, err := notifier.NewSealer(secrets...)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(samples, func(v encrypted.Sample) bool {
		if v.Kind != encrypted.Secrets {
			return !archive.CanOpen(v)
		}
		_, err := webhooks.Open(v.Encrypted, v.Owner)
		return err != nil
	}), nil
}

// ReportKeys logs what this process cannot read because its secret key is not given.
func (a *App) ReportKeys(ctx context.Context, store *store.Store) {
	keys, err := a.KeysInUse(ctx, store)
	if err != nil {
		a.Log.WarnContext(ctx, "secret keys not checked", "error", err)
		return
	}
	for _, k := range keys {
		if !k.Given {
			a.Log.ErrorContext(ctx, "what is stored under a secret key cannot be read: add the key to ROLLCALL_SECRET_KEYS_OLD", "key", k.ID,
				"documents", k.Documents, "rows", k.Rows, "webhook_secrets", k.Secrets)
		}
	}
}
