package photograph_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/faces"
	"rollcall/ingest"
	"rollcall/ingest/linkage"
	"rollcall/photo/vault"
)

// department is the document of a corrections department whose rows name photographs, to be formatted with an address.
const department = `id: department
title: A department
kind: corrections
publish: {policy: full_roster, absence: unknown}
transport: {kind: http, pause: 1ms, private: true, steps: [{url: '%s/list.csv', keep: true}]}
decode: {format: csv}
fields:
  offender: {id: id, name: name, status: {const: incarcerated}, dob: {from: dob, layouts: ['2006-01-02']}, photograph: {from: picture}}
privacy: {photographs: %s}
`

// failing is a verifier of which the first comparisons fail.
type failing struct{ left, n int }

func (f *failing) Compare(context.Context, image.Image, image.Image) (faces.Result, error) {
	f.n++
	if f.left > 0 {
		f.left--
		return faces.Result{}, errors.New("the networks failed")
	}
	return faces.Result{State: faces.Match, Distance: 0.2}, nil
}

func TestAPairThatCannotBeComparedKeepsNoOtherFromItsTurn(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "pictures")
	b := setupIn(t, dir, vault.Keys{})
	jail := b.source("web", false)
	prison, err := ingest.Parse(fmt.Appendf(nil, department, b.site.URL, basis))
	require.NoError(t, err)
	b.sources[prison.ID] = prison
	people := []string{
		"QUILLFEATHER, WREN", "MOONSAIL, ORLA", "TOLLIVER, ASH", "STORWICK, JUNO", "PENLOFORD, REMY", "VEXMERE, VIDA", "HARTWOOD, LINUS", "BRAMBLE, OTIS",
		"CINDERLY, FAYE", "DUNMORROW, PIKE", "EVERSLEY, TOVE", "FALLOWGATE, IVO", "GREYSTOCK, MINA", "HOLLINBY, RUE", "INGLEBAR, SOREN", "JUNIPERO, CLEM",
		"KESTREVAN, DOT", "LARKMOOR, ENID", "NETTLESHIP, GUS", "OAKHOLLOW, BEA", "PARSONBY, KIT", "RAVENSGILL, AMOS",
	}
	rows, records := make([]string, len(people)), []byte("id,name,dob,picture\n")
	for i, name := range people {
		at := fmt.Sprintf("/photos/%d.jpg", i)
		b.says(at, drawn(uint8(i)))
		b.says("/prison"+at, drawn(uint8(100+i)))
		rows[i] = row(strconv.Itoa(i), name, at)
		records = fmt.Appendf(records, "10000000%02d,%q,1980-01-02,/prison%s\n", i, name, at)
	}
	b.reads(jail, rows...)
	b.says("/list.csv", records)
	report, err := b.runner.Run(t.Context(), prison, ingest.Input{})
	require.NoError(t, err)
	require.NotEqual(t, "failed", string(report.State), report.Note)
	linker := &linkage.Linker{Store: b.store, Log: slog.New(slog.DiscardHandler), Now: b.store.Now}
	_, err = linker.Run(t.Context(), true)
	require.NoError(t, err)
	checks := func() string { return b.text(`select count(*)::text from photograph_checks`) }
	b.pass()
	verifier := &failing{left: 20}
	b.taker.Faces = verifier
	b.pass()
	require.Equal(t, []any{20, "0"}, []any{verifier.n, checks()})
	b.pass()
	require.Equal(t, []any{22, "2"}, []any{verifier.n, checks()}, "those behind the ones that failed")
	b.pass()
	require.Equal(t, []any{42, "22"}, []any{verifier.n, checks()}, "those that failed, again")

	t.Log("a picture that is missing or damaged is brought anew, and compared then")
	for i, name := range people[:2] {
		hash := b.text(`select p.hash from published_photographs p join bookings b on b.rid = p.rid where b.name = $1`, name)
		if i == 0 {
			require.NoError(t, b.vault.Delete(t.Context(), hash))
		} else {
			require.NoError(t, os.WriteFile(filepath.Join(dir, hash[:2], hash+".large.jpg"), []byte("half a picture"), 0o600))
		}
		_, err := b.db.Pool.Exec(t.Context(), `delete from photograph_checks where booking = $1`, hash)
		require.NoError(t, err)
	}
	b.pass() // it finds the end of the list
	b.pass()
	shown, _ := b.photographs()
	require.Len(t, strings.Split(shown, "; "), len(people)-2)
	require.EqualValues(t, 2, b.store.LostPictures())
	for range 5 {
		b.pass()
	}
	shown, _ = b.photographs()
	require.Len(t, strings.Split(shown, "; "), len(people))
	require.Equal(t, []any{44, "22"}, []any{verifier.n, checks()})
}
