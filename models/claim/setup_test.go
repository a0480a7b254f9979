package claim_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
	modelsource "rollcall/models/source"
	"rollcall/models/store"
)

var day = time.Date(2026, 2, 1, 6, 0, 0, 0, time.UTC)

func at(hours int) time.Time { return day.Add(time.Duration(hours) * time.Hour) }

// bundle is a database with a corrections source.
type bundle struct {
	ctx   context.Context
	db    *testdb.DB
	store *claim.Store
	base  *store.Store
	now   time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	db := testdb.New(t)
	b := &bundle{ctx: t.Context(), db: db, now: day.AddDate(0, 1, 0)}
	base, err := store.Open(t.Context(), db.URL, store.Options{Secret: []byte("test"), Now: func() time.Time { return b.now }})
	require.NoError(t, err)
	t.Cleanup(base.Close)
	b.base, b.store = base, claim.New(base, claim.Needs{})
	return b
}

// records is a database with a source of each family, as tests of other packages begin with.
type records struct{ *modelstest.Bundle }

func withRecords(t *testing.T) *records {
	t.Helper()
	return &records{modelstest.Setup(t)}
}

func (b *bundle) exec(t require.TestingT, sql string, args ...any) {
	_, err := b.db.Pool.Exec(b.ctx, sql, args...)
	require.NoError(t, err)
}

// text reads one text.
func (b *bundle) text(t require.TestingT, sql string, args ...any) (s string) {
	require.NoError(t, b.db.Pool.QueryRow(b.ctx, sql, args...).Scan(&s))
	return s
}

// source makes a corrections source.
func (b *bundle) source(t require.TestingT, id string) {
	b.exec(t, `insert into sources (id, title, kind, enabled, whole_since) values ($1, $1, 'corrections', true, now())`, id)
}

// listing is what a source lists at an hour.
type listing struct {
	hour     int
	complete bool
	rows     []offender
}

// offender is a row: what it says beside its key.
type offender struct {
	key, institution string
	withheld         models.WithheldReason
	born             *models.Date
}

func (o *offender) row(prefix string, seen time.Time) *snapshot.CorrectionsRow {
	r := &snapshot.CorrectionsRow{
		GDCID: prefix + o.key, Name: "QUILLFEATHER, WREN " + o.key, Category: "offender", Categories: []string{"offender"}, Institution: o.institution, Status: "incarcerated",
		DOB: o.born, Withheld: o.withheld, SeenAt: seen, Line: 1,
	}
	if o.born != nil {
		r.BirthYear = int16(o.born.Year)
	}
	r.Fingerprint = fmt.Append(nil, o.key, "|", o.institution, "|", o.withheld, "|", o.born)
	return r
}

// apply takes snapshots in, one run each, in the order given.
func (b *bundle) apply(t require.TestingT, source, prefix string, confirmations int, series ...listing) (last snapshot.Applied) {
	for _, s := range series {
		b.now = b.now.Add(time.Minute)
		run, err := b.base.BeginRun(b.ctx, source, b.now)
		require.NoError(t, err)
		last, _, err = b.store.ReconcileCorrections(b.ctx, b.reconciler(source, run, s, confirmations), rowsOf(prefix, s))
		require.NoError(t, err)
		require.NoError(t, b.base.FinishRun(b.ctx, run, source, modelsource.RunEnd{State: modelsource.RunOK, At: b.now, SnapshotAt: at(s.hour), DataAt: at(s.hour), Report: []byte("{}")}))
	}
	return last
}

func (b *bundle) reconciler(source string, run int64, s listing, confirmations int) snapshot.Reconciler {
	return snapshot.Reconciler{
		Header: snapshot.Header{SourceID: source, RunID: run, At: at(s.hour), Now: b.now, Tracks: true, Confirmations: confirmations},
		Prove:  func(n int) snapshot.Completeness { return snapshot.Completeness{Complete: s.complete, Rows: n} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}
}

func rowsOf(prefix string, s listing) iter.Seq2[*snapshot.CorrectionsRow, error] {
	return func(yield func(*snapshot.CorrectionsRow, error) bool) {
		for i := range s.rows {
			if !yield(s.rows[i].row(prefix, at(s.hour)), nil) {
				return
			}
		}
	}
}

// records is what is published and withheld of a source's keys.
func (b *bundle) records(t require.TestingT, prefix string) string {
	s := b.text(t, `select coalesce(string_agg(concat_ws(' ', gdc_id, name, institution, dob, withheld), '; ' order by gdc_id), '') from corrections_records where starts_with(gdc_id, $1)`, prefix)
	return strings.ReplaceAll(s, prefix, "")
}

// stored tells every version of every row, so that it changes whenever anything is written.
func (b *bundle) stored(t require.TestingT) string {
	return b.text(t, `select md5(string_agg(v, ' ' order by v)) from (select concat(tableoid, ctid, xmin) as v from corrections_records union all
 select concat(tableoid, ctid, xmin) from corrections_claims union all select concat(tableoid, ctid, xmin) from record_changes union all select concat(tableoid, ctid, xmin) from decisions) x`)
}
