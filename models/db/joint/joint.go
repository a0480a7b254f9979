// Package joint runs one transaction on one connection that GORM and pgx share: a row written
// through the one is seen by the other, and both are kept or neither. Jobs of the queue are
// inserted through the pgx side, in the transaction of the rows that they are about.
//
// The packages below models call it through db.DB.Joint. It knows no table and no rule.
package joint

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// errNotYours is for code inside a transaction that tries to end it.
var errNotYours = errors.New("end transaction: only the function that began it may; return an error to roll back")

// Tx is one transaction with two handles. It belongs to one goroutine, and rows that one handle reads must be closed
// before the other is used: they share a connection.
type Tx struct {
	gorm *gorm.DB
	pgx  pgx.Tx
}

// Gorm returns the transaction for GORM, with the context that it was begun with. Its Begin and Transaction are refused.
func (t *Tx) Gorm() *gorm.DB { return t.gorm }

// Pgx returns the transaction for pgx and for the job queue. Its Begin makes a savepoint; Commit and Rollback are refused.
func (t *Tx) Pgx() pgx.Tx { return t.pgx }

// Run begins a transaction without the statement time-out on a connection of db and runs fn in it. It commits when fn
// returns nil, and rolls back when fn returns an error, which Run returns as it is, or panics. db must have been opened
// over a pgx pool (stdlib.OpenDBFromPool); one that is inside of a transaction is refused.
func Run(ctx context.Context, db *gorm.DB, fn func(tx *Tx) error) error {
	conn, err := connect(ctx, db)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // back to the pool; what failed before was reported
	var raw *pgx.Conn
	err = conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("%T is not a connection of pgx", driver)
		}
		raw = c.Conn()
		return nil
	})
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	return run(ctx, conn, raw, func(tx pgx.Tx) error {
		g := db.Session(&gorm.Session{NewDB: true, Context: ctx, SkipDefaultTransaction: true})
		g.Statement.ConnPool = statements{conn}
		return fn(&Tx{gorm: g, pgx: inner{tx}})
	})
}

// connect takes a connection of db for this transaction alone. Inside a transaction GORM has no
// pool to take one from, which is how a nested Run is refused.
func connect(ctx context.Context, db *gorm.DB) (*sql.Conn, error) {
	pool, err := db.DB()
	if err != nil {
		return nil, fmt.Errorf("begin transaction: %w (inside of another one?)", err)
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin transaction: %w", err)
	}
	return conn, nil
}

// run keeps the order of pgx.BeginFunc, but separates the errors of fn, which come back as they
// are, from those of the transaction.
func run(ctx context.Context, conn *sql.Conn, raw *pgx.Conn, fn func(tx pgx.Tx) error) error {
	tx, err := raw.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	// When ctx is over during a statement of GORM, database/sql hands the broken connection to the pool, which closes it
	// meanwhile: that rolls back, and nobody may touch it any more. conn.Raw knows.
	end := func(do func(context.Context) error) error {
		return conn.Raw(func(any) error { return do(ctx) })
	}
	defer func() { _ = end(tx.Rollback) }() // after a commit this does nothing
	if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
		return fmt.Errorf("lift statement time-out: %w", err)
	}
	if err := fn(tx); err != nil {
		return err
	}
	if err := end(tx.Commit); err != nil {
		return fmt.Errorf("commit transaction: %w", err)
	}
	return nil
}

// statements is a connection that cannot begin a transaction. PostgreSQL would take a second BEGIN with a warning, and
// the COMMIT after it would end the outer transaction.
type statements struct{ gorm.ConnPool }

// inner is a transaction that only Run ends.
type inner struct{ pgx.Tx }

// Commit is refused: only Run commits, when its function returns nil.
func (inner) Commit(context.Context) error { return errNotYours }

// Rollback is refused: an error of the function rolls back.
func (inner) Rollback(context.Context) error { return errNotYours }
