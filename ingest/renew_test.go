package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/raw"
	"rollcall/models/encrypted"
)

// renewed gives the runner another secret key, and the old one to read with.
func (b *bundle) renewed() raw.Archive {
	b.Helper()
	var err error
	b.runner.Seal, err = raw.NewSeal([]byte("another key of a test, 32 bytes!"), []byte("a secret key of a test, 32 bytes"))
	require.NoError(b, err)
	return raw.Archive{Store: b.store, Seal: b.runner.Seal}
}

// badRow adds a row whose time cannot be read.
func badRow(roster string, i int) string {
	return strings.Replace(roster, "#end", fmt.Sprintf("X%d,\"THISTLEDOWN, PIP\",yesterday,$1.00\n#end", i), 1)
}

// What comes again between the change of the key and the rotation is stored under the new key too. The rotation leads the
// old archive to the new content, and leaves the older row to stand beside the new one.
func TestARotationMeetsWhatCameAgainSinceTheKeyIsAnotherOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	bad := badRow(roster(5), 0)
	runs := []int64{b.runSource(s, "roster.csv", bad, day).Run}
	require.Equal(t, 1, one[int](b, `select count(*) from quarantine`))
	archive := b.renewed()
	runs = append(runs, b.runSource(s, "roster.csv", bad, day.AddDate(0, 0, 1)).Run)
	require.Equal(t, "2 2", one[string](b, `select (select count(*) from archive_contents) || ' ' || (select count(*) from quarantine)`), "neither is known under the new key")

	id, err := archive.RenewDocument(t.Context(), 0)
	require.NoError(t, err)
	require.NotZero(t, id)
	require.Equal(t, "1 1 2", one[string](b, `select (select count(*) from archive_contents) || ' ' || (select count(*) from archive_chunks) || ' ' || (select count(*) from archives)`))
	last, done, err := archive.RenewRows(t.Context(), 0)
	require.NoError(t, err)
	require.NotZero(t, last)
	require.Equal(t, 1, done)
	require.Equal(t, "1 of 2", one[string](b, `select count(fingerprint) || ' of ' || count(*) from quarantine`))

	b.runner.Seal, err = raw.NewSeal([]byte("another key of a test, 32 bytes!"))
	require.NoError(t, err)
	for _, run := range runs {
		r, err := b.runner.Replay(t.Context(), s, run)
		require.NoError(t, err)
		require.Equal(t, 1, r.Quarantined, r.String())
	}
	id, err = archive.RenewDocument(t.Context(), 0)
	require.NoError(t, err)
	require.Zero(t, id, "nothing is left")
}

func TestARotationLeavesWhatItCannotReadAsItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	for i := range 3 {
		b.runSource(s, "roster.csv", badRow(roster(5+i), i), day.AddDate(0, 0, i))
	}
	exec := func(sql string) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	exec(`update archive_chunks set encrypted = set_byte(encrypted, 40, 255 - get_byte(encrypted, 40)) where content_id = 1`)
	exec(`insert into archive_chunks (content_id, seq, encrypted) select content_id, 1, encrypted from archive_chunks where content_id = 2`)
	exec(`update quarantine set encrypted = set_byte(encrypted, 40, 255 - get_byte(encrypted, 40)) where id = (select min(id) from quarantine)`)
	state := func() string {
		t.Helper()
		return one[string](b, `select string_agg(md5(encrypted), ' ' order by content_id, seq) from archive_chunks where content_id < 3`)
	}
	before := state()

	archive := b.renewed()
	var refused *encrypted.RefusedError
	id, err := archive.RenewDocument(t.Context(), 0)
	require.ErrorAs(t, err, &refused)
	require.ErrorContains(t, err, "document 1 of county-a: decrypt archived bytes: it is damaged")
	require.EqualValues(t, 1, id)
	id, err = archive.RenewDocument(t.Context(), id)
	require.ErrorContains(t, err, "document 2 of county-a: it is not what was stored")
	require.EqualValues(t, 2, id)
	require.Equal(t, before, state(), "its first chunk was not kept anew")
	id, err = archive.RenewDocument(t.Context(), id)
	require.NoError(t, err)
	require.EqualValues(t, 3, id)

	rows := one[int](b, `select count(*) from quarantine`)
	last, done, err := archive.RenewRows(t.Context(), 0)
	require.ErrorAs(t, err, &refused)
	require.Equal(t, rows-1, done)
	last, done, err = archive.RenewRows(t.Context(), last)
	require.NoError(t, err)
	require.Zero(t, last)
	require.Zero(t, done)
}
