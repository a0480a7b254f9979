package modelstest

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// Each yields rows to a reconciler, as ingest yields those of a document. No row is an error.
func Each[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Reconciler begins a run of a source at an instant and returns what it reconciles with: a source
// that tracks presence and states releases, where one lack is enough to be absent. complete is
// whether the snapshot counts as proven.
func (b *Bundle) Reconciler(t require.TestingT, source string, at time.Time, complete bool) snapshot.Reconciler {
	run, err := b.Store.BeginRun(b.Ctx, source, at)
	require.NoError(t, err)
	return snapshot.Reconciler{
		Header: snapshot.Header{SourceID: source, RunID: run, At: at, Now: at, Tracks: true, Releases: true, Confirmations: 1},
		Prove:  func(int) snapshot.Completeness { return snapshot.Completeness{Complete: complete} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}
}

// Offender is what a run reports of one corrections record. Its fingerprint follows the arguments,
// so equal arguments are an unchanged row.
func Offender(institution, status string, withheld models.WithheldReason, at time.Time) *snapshot.CorrectionsRow {
	return &snapshot.CorrectionsRow{
		GDCID: "1000412", Name: "DOE, JANE", Category: "offender", Categories: []string{"offender"}, Institution: institution, Status: status, Withheld: withheld,
		SeenAt: at, Line: 1, Fingerprint: []byte(institution + status + string(withheld)),
	}
}

// History returns the published changes of a record by its public id; of a case by its number.
func (b *Bundle) History(t require.TestingT, f models.Family, id string) []*models.RecordChange {
	var key int64
	err := b.Pool.QueryRow(b.Ctx, map[models.Family]string{
		models.Roster: `select rid from bookings where id = $1`, models.Courts: `select id from court_cases where case_number = $1`,
		models.Corrections: `select cid from corrections_records where gdc_id = $1`,
	}[f], id).Scan(&key)
	require.NoError(t, err)
	found, err := b.Store.HistoryOf(b.Ctx, f, []int64{key})
	require.NoError(t, err)
	return found[key]
}

// Lines writes changes as lines such as "status: booked -> released", for assertions.
func Lines(changes []*models.RecordChange) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, c.Field+": "+Deref(c.Before)+" -> "+Deref(c.After))
	}
	return out
}

// Deref is the text of a value, or a dash for nil.
func Deref[T any](p *T) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprint(*p)
}

// Account stores an Enterprise account and returns its id.
func (b *Bundle) Account(t *testing.T, email string) string {
	t.Helper()
	a := &models.Account{Name: "Desk", Email: email, Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, a))
	return a.ID
}

// LastStatement is a tracer that keeps the newest statement of a store, except the end of a
// transaction. Tests explain what it kept, to see that a list uses its index. It is for one
// statement at a time.
type LastStatement struct {
	SQL  string
	Args []any
	// Before is the statement before it.
	Before *LastStatement
}

// TraceQueryStart keeps a statement.
func (l *LastStatement) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if q.SQL != "commit" {
		l.SQL, l.Args, l.Before = q.SQL, q.Args, &LastStatement{SQL: l.SQL, Args: l.Args}
	}
	return ctx
}

// TraceQueryEnd does nothing.
func (l *LastStatement) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
