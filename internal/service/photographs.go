package service

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"rollcall/faces"
	"rollcall/ingest"
	"rollcall/ingest/photograph"
	"rollcall/models/store"
	"rollcall/photo/show"
	"rollcall/photo/vault"
)

// pictures opens the place of pictures when it is asked for first, and again after it could not be opened: a bucket that does not
// answer must not keep alerts from being sent.
type pictures struct {
	app   *App
	mu    sync.Mutex
	vault *vault.Vault
}

// open returns the place of pictures.
func (p *pictures) open(ctx context.Context) (*vault.Vault, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.vault != nil {
		return p.vault, nil
	}
	v, err := vault.Open(ctx, p.app.Photographs, p.app.PhotographKeys)
	if err != nil {
		return nil, fmt.Errorf("ROLLCALL_PHOTOGRAPHS: %w", err)
	}
	p.vault = v
	return v, nil
}

// photographs returns what sends photographs to callers.
func (a *App) photographs(store *store.Store, reject func(http.ResponseWriter, *http.Request, error)) (*show.Server, error) {
	links, err := a.links()
	if err != nil {
		return nil, err
	}
	return &show.Server{Store: store, Vault: (&pictures{app: a}).open, Links: links, Now: time.Now, Log: a.Log, Reject: reject}, nil
}

// taker returns what brings photographs. Without the weights of the verifier, which an operator installs, it is an error to ask
// for comparisons.
func (a *App) taker(store *store.Store, runner *ingest.Runner, find func(id string) (*ingest.Source, error)) (*photograph.Worker, error) {
	t := &photograph.Taker{Store: store, Runner: runner, Find: find, Vault: (&pictures{app: a}).open, Log: a.Log, Now: store.Now}
	if a.Verifier {
		v, err := faces.Load(filepath.Join(a.DataDir, "faces"))
		if errors.Is(err, faces.ErrMissing) {
			return nil, errors.New("ROLLCALL_FACES is on and the weights are not installed: run rollcall faces install")
		}
		if err != nil {
			return nil, fmt.Errorf("ROLLCALL_FACES: %w", err)
		}
		t.Faces = v
	}
	return &photograph.Worker{Taker: t}, nil
}
