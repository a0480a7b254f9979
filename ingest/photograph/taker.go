// Package photograph brings what rows name as photographs, after the run that read them: facts and alerts never wait for a
// picture. It looks at the documents of finished runs again (note.go), asks for what is new, politely (bring.go), has package
// photo make a picture of it, keeps that in the vault and gives it to its claim (keep.go). Pictures of linked records are
// compared (check.go). What may not be kept any more goes by a job of its own, which waits for no host (end.go).
//
// Whose photograph may be taken is decided where claims are (models/claim). It is not for serving pictures.
package photograph

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/models/store"
	"rollcall/photo/vault"
)

// families are those whose records may have photographs.
var families = []models.Family{models.Roster, models.Corrections}

const (
	// passTime is how long one pass asks for pictures. What is left waits for the next.
	passTime = 50 * time.Second
	// sourceBytes is how many bytes of pictures a source sends in one pass.
	sourceBytes = 64 << 20
	// sourcesAtOnce is how many sources are asked at the same time.
	sourcesAtOnce = 8
	// sweepEvery is how often the vault is looked through: a process that was ended leaves pictures that no row names.
	sweepEvery = 24 * time.Hour
	// spare is how long a picture may lie in the vault before its claim has it.
	spare = time.Hour
)

// Taker brings photographs. Its fields are set before the first pass.
type Taker struct {
	Store  *store.Store
	Runner *ingest.Runner
	Find   func(id string) (*ingest.Source, error) // the document of a source
	// Vault returns the place of the pictures, or why it does not answer.
	Vault func(ctx context.Context) (*vault.Vault, error)
	Faces Verifier // nil: pictures are not compared
	Log   *slog.Logger
	Now   func() time.Time
	// Patience is how long a host may take to send one picture; 0: 10 seconds.
	Patience time.Duration

	swept   time.Time       // when the vault was looked through
	tried   photograph.Pair // which pair was compared last
	reading sync.Mutex      // one picture is decoded at a time: each may take some hundred MB
}

// Pass does once what there is to do. It ends within a minute or two; what is left waits for the next pass. Trouble with one
// source is logged and keeps no other from its turn. One pass runs at a time.
func (t *Taker) Pass(ctx context.Context) error {
	if now := t.Now(); now.Sub(t.swept) >= sweepEvery {
		if err := t.sweep(ctx); err != nil {
			return err
		}
		t.swept = now
	}
	if err := t.noteAll(ctx); err != nil {
		return err
	}
	if err := t.bringAll(ctx); err != nil {
		return err
	}
	return t.check(ctx)
}

// noteAll looks at the new runs of all sources. Those of a source that allows no photographs are passed over: once it allows some,
// they are taken from its next run on.
func (t *Taker) noteAll(ctx context.Context) error {
	ids, err := t.Store.SourcesToNote(ctx)
	if err != nil {
		return err
	}
	allowed := t.allowed(ctx, ids)
	for _, id := range ids {
		if s := allowed[id]; s != nil {
			err = t.note(ctx, s)
		} else {
			err = t.skip(ctx, id)
		}
		if err != nil && ctx.Err() == nil {
			t.Log.ErrorContext(ctx, "photographs not noted", "source", id, "error", err)
		}
	}
	return ctx.Err()
}

// allowed returns those of some sources whose documents say why photographs may be taken, by id. A source without a document has
// none.
func (t *Taker) allowed(ctx context.Context, ids []string) map[string]*ingest.Source {
	out := map[string]*ingest.Source{}
	for _, id := range ids {
		s, err := t.Find(id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			// Nobody knows what it allows, so nothing of it is shown until the document can be read.
			t.Log.WarnContext(ctx, "document of a source not read, so its photographs are taken away", "source", id)
		case s.Privacy.Taken():
			out[id] = s
		}
	}
	return out
}

// bringAll asks for the photographs that are due, of several sources at once.
func (t *Taker) bringAll(ctx context.Context) error {
	due, err := t.Store.DueSources(ctx, t.Now())
	if err != nil || len(due) == 0 {
		return err
	}
	sources := t.allowed(ctx, due)
	until, cancel := context.WithTimeout(ctx, passTime)
	defer cancel()
	turns := make(chan struct{}, sourcesAtOnce)
	var all sync.WaitGroup
	for _, id := range due {
		s := sources[id]
		if s == nil {
			continue
		}
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			b := &bringing{Taker: t, source: s, left: sourceBytes}
			if err := b.run(ctx, until); err != nil && ctx.Err() == nil && !errors.Is(err, errWithdrawn) {
				t.Log.ErrorContext(ctx, "photographs not brought", "source", s.ID, "error", err)
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
