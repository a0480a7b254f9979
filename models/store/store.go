// Package store puts the packages below models together: one Store with the methods of all of them.
//
// It is not for statements; each belongs to the package of its subject.
package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/account"
	"rollcall/models/alert"
	"rollcall/models/claim"
	"rollcall/models/db"
	"rollcall/models/delivery"
	"rollcall/models/link"
	"rollcall/models/record"
	"rollcall/models/source"
)

// The parts under names of their own, so that one struct can embed them.
type (
	records    = record.Store
	claims     = claim.Store
	sources    = source.Store
	links      = link.Store
	alerts     = alert.Store
	deliveries = delivery.Store
	accounts   = account.Store
)

// Store is the door to the database: every query is a method of one of its parts. Safe for concurrent use.
type Store struct {
	*db.DB
	*records
	*claims
	*sources
	*links
	*alerts
	*deliveries
	*accounts
}

// Options of a Store; the zero value is fine for a command that reads a little.
type Options struct {
	MaxConns         int32            // connections of the pool, default 8
	StatementTimeout time.Duration    // of every statement outside InTx, default 15 s
	Secret           []byte           // key of cursors; the same on all replicas
	Now              func() time.Time // clock, default time.Now
	Tracer           pgx.QueryTracer  // sees every statement; nil: none
	MaxWatchers      int              // active watchers of an account, default models.DefaultMaxWatchers
	KeepRecords      int              // bytes of records kept until they change (db.DB.View); 0: each read asks the database
}

// Open connects to the migrated database at url.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	d, err := db.Open(ctx, url, db.Options{
		MaxConns: o.MaxConns, StatementTimeout: o.StatementTimeout, Secret: o.Secret, Now: o.Now, Tracer: o.Tracer,
	})
	if err != nil {
		return nil, err
	}
	if o.MaxWatchers == 0 {
		o.MaxWatchers = models.DefaultMaxWatchers
	}
	r, c := record.New(d, o.KeepRecords), claim.New(d)
	return &Store{
		DB: d, records: r, claims: c, sources: source.New(d, source.Needs{Heal: c.Heal}), links: link.New(d),
		alerts: alert.New(d, o.MaxWatchers), deliveries: delivery.New(d),
		accounts: account.New(d, account.Needs{Cases: r.CourtCasesByKeys, Replan: alert.Replan}),
	}, nil
}
