// Package photographs measures how many photographs a second are stored, and how long a caller waits for one (`rollcall bench
// photographs`). It invents a jail's page with pictures on this machine, and lets the runner and the job of the service bring
// them into a directory. It starts no service: the command passes in the address of one.
package photographs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/photograph"
	"rollcall/internal/machine"
	photographs "rollcall/models/photograph"
	"rollcall/models/store"
	"rollcall/photo/vault"
)

// Bench is one run on an empty database. It is used once.
type Bench struct {
	// Small and Large are how many photographs are stored of each size.
	Small, Large int
	// Requests is how many photographs are asked for in each size.
	Requests int

	Store  *store.Store
	Runner *ingest.Runner
	// Dir is where pictures are kept.
	Dir string
	// URL is the address of a service over Store and Dir, without a path; Key has no limit there.
	URL, Key string
	// Progress is for people.
	Progress io.Writer
	Log      *slog.Logger

	vault *vault.Vault
	// jails are those so far, by the ids of their sources: a source that is not found loses its photographs.
	jails map[string]*ingest.Source
}

// Stored is what storing photographs of one size took.
type Stored struct {
	Width       int     `json:"width"` // of what the jail shows, in pixels
	Height      int     `json:"height"`
	KB          float64 `json:"kb"` // of one, on average
	Photographs int     `json:"photographs"`
	PerSecond   float64 `json:"per_second"`
	// CPU is the processor time of this process for one, in milliseconds; the page of the jail is part of it, PostgreSQL is not.
	CPU  float64 `json:"cpu_ms"`
	Load float64 `json:"load_1min"`
}

// Sent is how long callers waited for photographs of one jail in one size, at one connection.
type Sent struct {
	Width    int        `json:"width"` // of what the jail showed, in pixels
	Height   int        `json:"height"`
	Size     vault.Size `json:"size"`
	KB       float64    `json:"kb"` // of one, on average
	Requests int        `json:"requests"`
	P50      float64    `json:"p50_ms"`
	P99      float64    `json:"p99_ms"`
	Load     float64    `json:"load_1min"`
}

// Figures are the results.
type Figures struct {
	Stored []Stored `json:"stored"`
	Sent   []Sent   `json:"sent"`
}

// Run stores photographs of two jails, whose pictures differ in size, and asks for them. A photograph that is refused or not
// sent is an error.
func (b *Bench) Run(ctx context.Context) (f *Figures, err error) {
	b.jails = map[string]*ingest.Source{}
	if b.vault, err = vault.Open(ctx, b.Dir, vault.Keys{}); err != nil {
		return nil, err
	}
	f = &Figures{}
	for _, of := range []shots{{"clarke", 480, 600, b.Small}, {"fulton", 1500, 1875, b.Large}} {
		stored, err := b.store(ctx, of)
		if err != nil {
			return nil, fmt.Errorf("store photographs of %d x %d pixels: %w", of.width, of.height, err)
		}
		f.Stored = append(f.Stored, *stored)
		sent, err := b.ask(ctx, of)
		if err != nil {
			return nil, fmt.Errorf("ask for photographs of %d x %d pixels: %w", of.width, of.height, err)
		}
		f.Sent = append(f.Sent, sent...)
	}
	return f, nil
}

// store lets the job bring the photographs of a jail, which its roster names.
func (b *Bench) store(ctx context.Context, of shots) (*Stored, error) {
	_, _ = fmt.Fprintf(b.Progress, "drawing %d photographs of %d x %d pixels\n", of.number, of.width, of.height)
	jail, err := of.open(ctx, b.Log)
	if err != nil {
		return nil, err
	}
	defer jail.close()
	source, err := jail.source()
	if err != nil {
		return nil, err
	}
	b.jails[source.ID] = source
	if _, err := b.Runner.Run(ctx, source, ingest.Input{}); err != nil {
		return nil, err
	}
	taker := &photograph.Taker{
		Store: b.Store, Runner: b.Runner, Log: b.Log, Now: b.Store.Now,
		Vault: func(context.Context) (*vault.Vault, error) { return b.vault, nil },
		Find: func(id string) (*ingest.Source, error) {
			if s := b.jails[id]; s != nil {
				return s, nil
			}
			return nil, fs.ErrNotExist
		},
	}
	_, _ = fmt.Fprintln(b.Progress, "storing them")
	began, work := time.Now(), machine.ProcessorTime()
	for kept := -1; kept < of.number; {
		if err := taker.Pass(ctx); err != nil {
			return nil, err
		}
		now, err := b.kept(ctx, source.ID)
		if err != nil {
			return nil, err
		}
		if now == kept {
			return nil, fmt.Errorf("%d of %d photographs were stored, and a pass stored no more", now, of.number)
		}
		kept = now
	}
	took, used := time.Since(began), machine.ProcessorTime()-work
	return &Stored{
		Width: of.width, Height: of.height, KB: jail.kb(), Photographs: of.number, PerSecond: machine.PerSecond(of.number, took),
		CPU: float64(used.Microseconds()) / 1000 / float64(of.number), Load: machine.LoadAverage(),
	}, nil
}

// kept counts the photographs of a source. One that was refused is an error.
func (b *Bench) kept(ctx context.Context, source string) (n int, err error) {
	counts, err := b.Store.PhotographCounts(ctx)
	for _, c := range counts {
		if c.SourceID != source {
			continue
		}
		switch c.State {
		case photographs.Kept:
			n += c.N
		case photographs.Refused:
			err = errors.Join(err, fmt.Errorf("%d photographs were refused: %s", c.N, c.Reason))
		}
	}
	return n, err
}
