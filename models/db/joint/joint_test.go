package joint_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/stretchr/testify/require"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"rollcall/internal/testdb"
	"rollcall/models/db/joint"
)

type note struct {
	ID   int
	Text string
}

// job is what the tests insert.
type job struct {
	Note int `json:"note"`
}

func (job) Kind() string { return "note" }

// bundle is a database with a table of notes; its pool has one connection, so that a second one would wait for ever.
type bundle struct {
	db   *gorm.DB
	pool *pgxpool.Pool // of its own, to look from outside
}

func setup(t *testing.T) *bundle {
	t.Helper()
	base := testdb.New(t)
	_, err := base.Pool.Exec(t.Context(), `create table notes (id int primary key, text text not null)`)
	require.NoError(t, err)
	cfg, err := pgxpool.ParseConfig(base.URL)
	require.NoError(t, err)
	cfg.MaxConns = 1
	cfg.ConnConfig.RuntimeParams["statement_timeout"] = "1000"
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{Logger: logger.Discard})
	require.NoError(t, err)
	return &bundle{db: db, pool: base.Pool}
}

// notes are the texts that others see.
func (b *bundle) notes(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, b.pool.QueryRow(t.Context(), `select coalesce(array_agg(text order by id), '{}') from notes`).Scan(&all))
	return all
}

// both writes a note through each handle and reads it through the other.
func both(ctx context.Context, tx *joint.Tx) error {
	if err := tx.Gorm().Create(&note{ID: 1, Text: "gorm"}).Error; err != nil {
		return err
	}
	var text string
	if err := tx.Pgx().QueryRow(ctx, `select text from notes where id = 1`).Scan(&text); err != nil {
		return err
	}
	if _, err := tx.Pgx().Exec(ctx, `insert into notes values (2, $1)`, text+" by pgx"); err != nil {
		return err
	}
	var n note
	if err := tx.Gorm().Where("id = ?", 2).Take(&n).Error; err != nil {
		return err
	}
	return tx.Gorm().Create(&note{ID: 3, Text: n.Text + " by gorm"}).Error
}

func TestBothHandlesAreOneTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, joint.Run(t.Context(), b.db, func(tx *joint.Tx) error { return both(t.Context(), tx) }))
	require.Equal(t, []string{"gorm", "gorm by pgx", "gorm by pgx by gorm"}, b.notes(t))
}

func TestAnErrorLeavesNothingAndIsReturnedAsItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sorry := errors.New("sorry")
	err := joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
		require.NoError(t, both(t.Context(), tx))
		return sorry
	})
	require.Equal(t, sorry, err)
	require.Empty(t, b.notes(t))
}

func TestAPanicLeavesNothingAndGivesTheConnectionBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.PanicsWithValue(t, "sorry", func() {
		_ = joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
			require.NoError(t, both(t.Context(), tx))
			panic("sorry")
		})
	})
	require.Empty(t, b.notes(t))
	require.NoError(t, joint.Run(t.Context(), b.db, func(tx *joint.Tx) error { return both(t.Context(), tx) }))
}

func TestAnEndedContextLeavesNothingAndGivesTheConnectionBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := joint.Run(ctx, b.db, func(tx *joint.Tx) error {
		require.NoError(t, both(ctx, tx))
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, b.notes(t))
	require.NoError(t, joint.Run(t.Context(), b.db, func(tx *joint.Tx) error { return both(t.Context(), tx) }))
}

func TestABrokenTransactionIsNotCommitted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
		require.NoError(t, tx.Gorm().Create(&note{ID: 1, Text: "first"}).Error)
		require.Error(t, tx.Gorm().Create(&note{ID: 1, Text: "again"}).Error)
		return nil // whoever forgets to return the error
	})
	require.ErrorContains(t, err, "commit transaction")
	require.Empty(t, b.notes(t))
}

func TestTheStatementTimeoutIsLiftedInsideOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const show = `select current_setting('statement_timeout')`
	var inside, outside string
	require.NoError(t, joint.Run(t.Context(), b.db, func(tx *joint.Tx) error { return tx.Gorm().Raw(show).Scan(&inside).Error }))
	require.NoError(t, b.db.Raw(show).Scan(&outside).Error)
	require.Equal(t, []string{"0", "1s"}, []string{inside, outside})
}

func TestATransactionInsideOfOneIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
		require.ErrorIs(t, tx.Gorm().Transaction(func(*gorm.DB) error { return nil }), gorm.ErrInvalidTransaction)
		require.ErrorIs(t, tx.Gorm().Begin().Error, gorm.ErrInvalidTransaction)
		require.ErrorContains(t, joint.Run(t.Context(), tx.Gorm(), func(*joint.Tx) error { return nil }), "begin transaction")
		require.ErrorContains(t, tx.Pgx().Commit(t.Context()), "end transaction")
		require.ErrorContains(t, tx.Pgx().Rollback(t.Context()), "end transaction")
		return both(t.Context(), tx)
	})
	require.NoError(t, err)
	require.Len(t, b.notes(t), 3)
}

func TestASavepointOfPgxIsOfTheSameTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
		sub, err := tx.Pgx().Begin(t.Context())
		require.NoError(t, err)
		require.NoError(t, tx.Gorm().Create(&note{ID: 9, Text: "undone"}).Error)
		require.NoError(t, sub.Rollback(t.Context()))
		return tx.Gorm().Create(&note{ID: 1, Text: "stays"}).Error
	}))
	require.Equal(t, []string{"stays"}, b.notes(t))
}

func TestConditionsOfOneStatementAreNotThoseOfTheNext(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
		require.NoError(t, both(t.Context(), tx))
		var one, all []note
		require.NoError(t, tx.Gorm().Where("id = ?", 1).Find(&one).Error)
		require.NoError(t, tx.Gorm().Find(&all).Error)
		require.Len(t, one, 1)
		require.Len(t, all, 3)
		return nil
	}))
}

func TestJobsAreInsertedInTheSameTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	migrator, err := rivermigrate.New(riverpgxv5.New(b.pool), nil)
	require.NoError(t, err)
	_, err = migrator.Migrate(t.Context(), rivermigrate.DirectionUp, nil)
	require.NoError(t, err)
	jobs, err := river.NewClient(riverpgxv5.New(b.pool), &river.Config{})
	require.NoError(t, err)
	count := func() (n int) {
		require.NoError(t, b.pool.QueryRow(t.Context(), `select count(*) from river_job`).Scan(&n))
		return n
	}
	insert := func(end error) error {
		return joint.Run(t.Context(), b.db, func(tx *joint.Tx) error {
			require.NoError(t, tx.Gorm().Create(&note{ID: 1, Text: "with a job"}).Error)
			_, err := jobs.InsertTx(t.Context(), tx.Pgx(), job{Note: 1}, nil)
			require.NoError(t, err)
			_, err = jobs.InsertManyTx(t.Context(), tx.Pgx(), []river.InsertManyParams{{Args: job{Note: 1}}})
			require.NoError(t, err)
			require.Zero(t, count(), "others see a job before its commit")
			return end
		})
	}
	require.Error(t, insert(errors.New("sorry")))
	require.Zero(t, count())
	require.Empty(t, b.notes(t))
	require.NoError(t, insert(nil))
	require.Equal(t, 2, count())
	require.Equal(t, []string{"with a job"}, b.notes(t))
}
