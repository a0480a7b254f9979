package claim

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rollcall/models"
	"rollcall/resolve"
)

// Database is what the package takes of the database: transactions, and the clock.
type Database interface {
	// InTx runs fn in one transaction without a statement time-out: all of it is kept, or none.
	InTx(ctx context.Context, fn func(tx pgx.Tx) error) error
	Now() time.Time
	// Pool reads outside of transactions.
	Pool() *pgxpool.Pool
	// AskMatch asks for the changes of a transaction to be matched against the watchers.
	AskMatch(ctx context.Context, tx pgx.Tx) error
}

// Store takes snapshots and the decisions of operators into the tables. It is safe for concurrent use.
type Store struct{ db Database }

// New makes a store on a database.
func New(db Database) *Store { return &Store{db} }

// session is one transaction of a family. All of its statements are named ones.
type session struct {
	store   *Store
	tx      pgx.Tx
	family  models.Family
	sql     statements
	sources map[string]*source // by id, as far as they were looked up
	gen     int64              // of the family; 0: nothing was locked yet
	now     time.Time
	rebuild bool // a rule changed: nothing happened to anybody, so only what must be taken back is told
}

func (s *Store) session(tx pgx.Tx, family models.Family, now time.Time) *session {
	return &session{store: s, tx: tx, family: family, sql: sqlOf[family], sources: map[string]*source{}, now: resolve.Instant(now)}
}

// args are the named arguments of a statement.
type args = pgx.NamedArgs

// exec runs a statement and gives the number of rows that it touched.
func (s *session) exec(ctx context.Context, name string, a args) (int, error) {
	tag, err := s.tx.Exec(ctx, s.sql.get(name), a)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return int(tag.RowsAffected()), nil
}

// do runs a statement.
func (s *session) do(ctx context.Context, name string, a args) error {
	_, err := s.exec(ctx, name, a)
	return err
}

// one reads the only row of a statement.
func (s *session) one(ctx context.Context, name string, a args, into ...any) error {
	if err := s.tx.QueryRow(ctx, s.sql.get(name), a).Scan(into...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// each reads the rows of a statement one by one.
func (s *session) each(ctx context.Context, name string, a args, into []any, do func() error) error {
	rows, err := s.tx.Query(ctx, s.sql.get(name), a)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := pgx.ForEachRow(rows, into, do); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// lock takes the family's lock for the rest of the transaction, with the generation that changed rows carry.
// Writers of a family commit in the order of its generations.
func (s *session) lock(ctx context.Context) error {
	if s.gen != 0 {
		return nil
	}
	return s.one(ctx, "next_generation", args{"family": s.family}, &s.gen)
}
