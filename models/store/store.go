// Package store combines the packages below models: one Store with the methods of all of them.
// Packages above models take a *Store, and commands open it. Where one package needs a function of
// another that it may not import, Open passes it in.
//
// It is not for statements or rules; each belongs to the package of its subject.
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
	"rollcall/models/encrypted"
	"rollcall/models/link"
	"rollcall/models/mirror"
	"rollcall/models/photograph"
	"rollcall/models/record"
	"rollcall/models/source"
)

// The parts under unexported names, so that one struct can embed several types called Store.
type (
	records    = record.Store
	claims     = claim.Store
	sources    = source.Store
	links      = link.Store
	alerts     = alert.Store
	deliveries = delivery.Store
	accounts   = account.Store
	mirrors    = mirror.Store
	ciphers    = encrypted.Store
	pictures   = photograph.Store
)

// Store is the access to the database: every query is a method of one of its parts. It is safe for
// concurrent use. The parts share one *db.DB, whose methods (Ping, Changes, View and others) are
// Store's too.
type Store struct {
	*db.DB
	*records
	*claims
	*sources
	*links
	*alerts
	*deliveries
	*accounts
	*mirrors
	*ciphers
	*pictures
}

// Options are the settings of a Store. The zero value suits a command that reads a little. Those
// with the names of db.Options mean the same.
type Options struct {
	// MaxConns is the size of both pools together, 10 if 0.
	MaxConns int32
	// StatementTimeout ends every statement outside InTx and Joint; 15 s if 0.
	StatementTimeout time.Duration
	// Secret is what the key of cursors is derived from, the same on all replicas.
	Secret []byte
	// OldSecrets are those whose cursors are taken still.
	OldSecrets [][]byte
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Tracer sees every statement; nil if nothing does.
	Tracer pgx.QueryTracer
	// MaxWatchers is how many active watchers an account may have; models.DefaultMaxWatchers if 0.
	MaxWatchers int
	// KeepRecords is the size in bytes of the record cache (docs/decisions/0006-record-cache.md).
	// With 0 each read asks the database.
	KeepRecords int
}

// Open connects to the migrated database at url; one that was not migrated is an error. The caller
// must call Close.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	d, err := db.Open(ctx, url, db.Options{
		MaxConns: o.MaxConns, StatementTimeout: o.StatementTimeout, Secret: o.Secret, OldSecrets: o.OldSecrets, Now: o.Now, Tracer: o.Tracer,
	})
	if err != nil {
		return nil, err
	}
	if o.MaxWatchers == 0 {
		o.MaxWatchers = models.DefaultMaxWatchers
	}
	a := alert.New(d, o.MaxWatchers)
	r, c := record.New(d, o.KeepRecords), claim.New(d, claim.Needs{News: a.News})
	return &Store{
		DB: d, records: r, claims: c, sources: source.New(d, source.Needs{Heal: c.Heal}), links: link.New(d),
		alerts: a, deliveries: delivery.New(d), mirrors: mirror.New(d), ciphers: encrypted.New(d),
		pictures: photograph.New(d, photograph.Needs{Find: c.MergedByID, Remove: c.RemovePhotographs, Lose: c.RemovePicture}),
		accounts: account.New(d, account.Needs{Cases: r.CourtCasesByKeys, Replan: alert.Replan, Entitle: entitle}),
	}, nil
}

// entitle begins the watchers of an account that has events again, or drops what waits for one that has none any more.
func entitle(ctx context.Context, tx pgx.Tx, a *models.Account, now time.Time) error {
	if a.Entitled() {
		return alert.BeginAnew(ctx, tx, a.ID)
	}
	return delivery.CancelAccount(ctx, tx, a.ID, now)
}
