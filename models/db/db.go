// Package db is the database that all packages below models share: the pool and the GORM handle,
// transactions, generations and the notifications that announce them, cursors, name conditions,
// values that are cached until their records change, and the SQL that more than one of these
// packages needs.
//
// A Store of each package embeds a *DB. Ordinary reads and writes of rows go through GORM,
// set-based work through pgx; both run on one pool. Every committed change of a family of records
// raises the family's generation and announces it by NOTIFY, which ends what is cached (View,
// Memory).
//
// It is not for the subjects themselves: it reads no record, source, watcher or account, and
// imports no other package below models.
package db

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rollcall/models"
	"rollcall/models/db/column"
)

// entryConns is the size of the pools of KeyEntry and LinkEntry, each: so many look-ups of those who come in run at once.
const entryConns = 2

// DB is an open database. It is safe for concurrent use; UseJobs is called before that begins.
type DB struct {
	// plain is for all statements but reads of rows by their keys, which have keyed, and look-ups of who comes in, which have
	// keyEntry and linkEntry.
	plain, keyed, keyEntry, linkEntry connections
	counties                          *models.Counties
	// cursorKeys are derived from Options.Secret, which authenticates new cursors, and from OldSecrets.
	cursorKeys [][]byte
	now        func() time.Time
	feed       feed
	// jobs is nil in a process without a job queue (UseJobs).
	jobs JobQueue
}

// Options are the settings of a DB. The zero value suits a command that reads a little.
type Options struct {
	// MaxConns is the size of two pools together, 10 if 0: a third of it is for Keyed. Those of KeyEntry and LinkEntry,
	// two each, and those that listen for notifications come on top.
	MaxConns int32
	// StatementTimeout ends every statement outside InTx and Joint; 15 s if 0.
	StatementTimeout time.Duration
	// Secret is what the key of cursors is derived from. It must be the same on all replicas.
	Secret []byte
	// OldSecrets are those whose cursors are taken still.
	OldSecrets [][]byte
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Tracer sees every statement, for metrics and tests; nil if nothing does.
	Tracer pgx.QueryTracer
}

// Open connects to the migrated database at url and reads the counties. The text of a url that
// cannot be parsed is left out of the error, because it may hold a password. Open registers the
// column types of package column, which GORM keeps once a process.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("read database URL: not a PostgreSQL connection string (its text is not shown: it may hold a password)")
	}
	if o.MaxConns == 0 {
		o.MaxConns = 10
	}
	if o.StatementTimeout == 0 {
		o.StatementTimeout = 15 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	byKey := max(1, o.MaxConns/3)
	cfg.ConnConfig.Tracer = o.Tracer
	rt := cfg.ConnConfig.RuntimeParams
	rt["statement_timeout"] = strconv.FormatInt(o.StatementTimeout.Milliseconds(), 10)
	rt["timezone"] = "UTC"
	rt["application_name"] = "rollcall"
	d := &DB{now: o.Now}
	for _, p := range []struct {
		of    *connections
		size  int32
		param map[string]string
	}{
		{&d.plain, max(1, o.MaxConns-byKey), nil},
		{&d.keyed, byKey, map[string]string{"plan_cache_mode": "force_generic_plan"}},
		{&d.keyEntry, entryConns, nil},
		{&d.linkEntry, entryConns, nil},
	} {
		of := cfg.Copy()
		of.MaxConns = p.size
		maps.Copy(of.ConnConfig.RuntimeParams, p.param)
		if *p.of, err = connect(ctx, of, o.Now); err != nil {
			d.Close()
			return nil, err
		}
	}
	if d.counties, err = loadCounties(ctx, d.Gorm()); err != nil {
		d.Close()
		return nil, err
	}
	// The counties themselves need none of the column types, which all other models do.
	column.Register(d.counties)
	for _, secret := range append([][]byte{o.Secret}, o.OldSecrets...) {
		key := sha256.Sum256(append([]byte("rollcall cursor\x00"), secret...))
		d.cursorKeys = append(d.cursorKeys, key[:])
	}
	return d, nil
}

// Close waits until the connections in use are returned and closes the pools.
func (d *DB) Close() {
	for _, c := range d.pools() {
		c.pool.Close()
	}
}

// pools are those that are open.
func (d *DB) pools() []connections {
	all := []connections{d.plain, d.keyed, d.keyEntry, d.linkEntry}
	return slices.DeleteFunc(all, func(c connections) bool { return c.pool == nil })
}

// Counties returns the fixed set of counties of Georgia. It is shared and never changes.
func (d *DB) Counties() *models.Counties { return d.counties }

// Now returns the time by the clock that the database was opened with.
func (d *DB) Now() time.Time { return d.now() }

// Ping returns an error unless the database answers on every pool. It is what a readiness check calls.
func (d *DB) Ping(ctx context.Context) error {
	for _, c := range d.pools() {
		if err := c.pool.Ping(ctx); err != nil {
			return err
		}
	}
	return nil
}
