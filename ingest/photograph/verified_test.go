//go:build !race

// The race detector makes the arithmetic of the networks twenty times slower; the ordinary test command runs these.

package photograph_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/faces"
	"rollcall/faces/facestest"
	"rollcall/ingest"
	"rollcall/ingest/linkage"
)

// file encodes a picture as JPEG of a quality.
func file(t *testing.T, m image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}))
	return b.Bytes()
}

// counted is the verifier with the published weights, which counts what it compares.
type counted struct {
	*faces.Verifier
	n int
}

func (c *counted) Compare(ctx context.Context, a, b image.Image) (faces.Result, error) {
	c.n++
	return c.Verifier.Compare(ctx, a, b)
}

// check is a comparison as a caller of GraphQL sees it.
type check struct {
	State, Model string
	CheckedAt    time.Time
}

// The photographs of a jail and of the department come through the job, and the networks compare those of linked records.
func TestLinkedPhotographsAreCompared(t *testing.T) {
	t.Parallel()
	verifier, err := faces.Load(facestest.Weights(t))
	require.NoError(t, err)
	portraits := facestest.Portraits(t)
	at := places["a directory"](t)
	b := setupIn(t, at.address, at.keys)
	jail := b.source("web", false)
	prison, err := ingest.Parse(fmt.Appendf(nil, department, b.site.URL, basis))
	require.NoError(t, err)
	b.sources[prison.ID] = prison
	people := []struct{ name, booked, sentenced, state string }{
		{"QUILLFEATHER, WREN", "b", "b", "MATCH"},
		{"MOONSAIL, ORLA", "f", "g", "NO_MATCH"},
		{"TOLLIVER, ASH", "d", "nobody", "INCONCLUSIVE"},
		{"STORWICK, JUNO", "e", "", ""},  // the department has no photograph
		{"PENLOFORD, REMY", "", "h", ""}, // nor has the jail
	}
	rows := []string{row("9", "VEXMERE, VIDA", "/jail/b.jpg")} // one picture as somebody whom no record is linked to
	records := []byte("id,name,dob,picture\n")
	for i, p := range people {
		var booked, sentenced string
		if p.booked != "" {
			booked = "/jail/" + p.booked + ".jpg"
			b.says(booked, file(t, portraits[p.booked], 95))
		}
		switch m := portraits[p.sentenced]; {
		case m != nil:
			sentenced = "/prison/" + p.sentenced + ".jpg"
			b.says(sentenced, file(t, m, 60))
		case p.sentenced != "":
			sentenced = "/prison/" + p.sentenced + ".jpg"
			b.says(sentenced, drawn(90))
		}
		rows = append(rows, row(strconv.Itoa(i), p.name, booked))
		records = fmt.Appendf(records, "100000000%d,\"%s\",1980-01-02,%s\n", i, p.name, sentenced)
	}
	b.reads(jail, rows...)
	b.says("/list.csv", records)
	report, err := b.runner.Run(t.Context(), prison, ingest.Input{})
	require.NoError(t, err)
	require.NotEqual(t, "failed", string(report.State), report.Note)
	linker := &linkage.Linker{Store: b.store, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return b.now }}
	_, err = linker.Run(t.Context(), true)
	require.NoError(t, err)
	const links = `select string_agg(o.gdc_id || ' ' || l.confidence || ' ' || l.origin, '; ' order by o.gdc_id) from gdc_links l join corrections_records o on o.cid = l.cid`
	before := b.text(links)
	r := b.serves(at)[0]

	t.Log("without the verifier nothing is compared, and nothing is confirmed")
	b.pass()
	require.Equal(t, "0", b.text(`select count(*)::text from photograph_checks`))
	require.False(t, r.record(b.id("QUILLFEATHER, WREN")).Match.MugshotMatch)

	t.Log("with it each pair is compared once")
	count := &counted{Verifier: verifier}
	b.taker.Faces = count
	b.pass()
	b.pass()
	require.Equal(t, 3, count.n)
	require.Equal(t, "3", b.text(`select count(*)::text from photograph_checks`))
	require.Equal(t, before, b.text(links), "a comparison makes, removes and changes no link")
	t.Log(b.text(`select string_agg(state || ' ' || band, '; ' order by id) from photograph_checks`))
	for _, p := range people {
		id := b.id(p.name)
		var shown struct {
			GdcMatch *struct {
				MugshotMatch bool
				MugshotCheck *check
			}
		}
		r.graphql(id, `gdcMatch { mugshotMatch mugshotCheck { state model checkedAt } }`, &shown)
		require.NotNil(t, shown.GdcMatch, p.name)
		require.Equal(t, p.state == "MATCH", shown.GdcMatch.MugshotMatch, p.name)
		require.Equal(t, p.state == "MATCH", r.record(id).Match.MugshotMatch, p.name)
		if p.state == "" {
			require.Nil(t, shown.GdcMatch.MugshotCheck, p.name)
			continue
		}
		require.NotNil(t, shown.GdcMatch.MugshotCheck, p.name)
		require.Equal(t, []string{p.state, faces.Model}, []string{shown.GdcMatch.MugshotCheck.State, shown.GdcMatch.MugshotCheck.Model}, p.name)
		require.WithinDuration(t, b.now, shown.GdcMatch.MugshotCheck.CheckedAt, time.Minute)
	}
	require.Nil(t, r.record(b.id("VEXMERE, VIDA")).Match)

	t.Log("a photograph that changes is compared anew")
	rows[1] = row("0", people[0].name, "/jail/d.jpg")
	b.reads(jail, rows...)
	b.pass()
	require.Equal(t, 4, count.n)
	require.Equal(t, "3", b.text(`select count(*)::text from photograph_checks`), "the comparison of the picture that went is gone")
	require.False(t, r.record(b.id(people[0].name)).Match.MugshotMatch)

	t.Log("a comparison goes with its record")
	_, err = b.store.Restrict(t.Context(), b.id("MOONSAIL, ORLA"), "desk", "looked at")
	require.NoError(t, err)
	b.pass()
	require.Equal(t, "2", b.text(`select count(*)::text from photograph_checks`))
}
