package demo

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/fetch"
	"rollcall/ingest/photograph"
	"rollcall/internal/simulator"
	"rollcall/internal/simulator/gallery"
	"rollcall/match"
	"rollcall/photo/vault"
)

// asks notes the names of the files that are asked for.
type asks struct {
	mu    sync.Mutex
	names map[string]int
}

func (a *asks) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.names[path.Base(r.URL.Path)]++
		a.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// taker takes photographs of the sources into a folder.
func (c *chaos) taker() *photograph.Taker {
	c.Helper()
	v, err := vault.Open(c.Context(), filepath.Join(c.TempDir(), "pictures"), vault.Keys{})
	require.NoError(c, err)
	return &photograph.Taker{Store: c.store, Runner: c.runner, Vault: func(context.Context) (*vault.Vault, error) { return v, nil }, Log: c.runner.Log, Now: func() time.Time { return c.now }, Find: func(id string) (*ingest.Source, error) {
		for _, s := range c.sources {
			if s.ID == id {
				return s, nil
			}
		}
		return nil, os.ErrNotExist
	}}
}

// takes makes passes until every photograph was asked for once. A pass ends by the clock, so a busy machine needs several.
func (c *chaos) takes() {
	c.Helper()
	taker := c.taker()
	for range 20 {
		require.NoError(c, taker.Pass(c.Context()))
		if len(c.rows(`select key from photographs where state = 'wanted' and tries = 0`)) == 0 {
			return
		}
	}
	c.Fatal("photographs are still to be asked for after 20 passes")
}

// rows are the texts that a statement returns.
func (c *chaos) rows(sql string, args ...any) (list []string) {
	c.Helper()
	found, err := c.db.Pool.Query(c.Context(), sql, args...)
	require.NoError(c, err)
	defer found.Close()
	for found.Next() {
		var text string
		require.NoError(c, found.Scan(&text))
		list = append(list, text)
	}
	require.NoError(c, found.Err())
	return list
}

// published are the bookings of a feed that readers see, in folded letters, and of them those that have a photograph.
func (c *chaos) published(feed string) (all, photographed []string) {
	c.Helper()
	const sql = `select distinct b.name from published_bookings b join roster_claims g on g.record = b.rid where g.source_id = $1`
	folded := func(names []string) []string {
		for i := range names {
			names[i] = match.Fold(names[i])
		}
		slices.Sort(names)
		return names
	}
	return folded(c.rows(sql, sourceID(feed))), folded(c.rows(sql+` and b.has_photo and exists (select from published_photographs p where p.rid = b.rid)`, sourceID(feed)))
}

// truth is what a feed's vendor shows of each of its people, by the folded name.
func (c *chaos) truth(feed simulator.Feed) map[string]simulator.Booking {
	c.Helper()
	people := map[string]simulator.Booking{}
	for _, b := range slices.Concat(c.sim.Departed(feed.County), c.sim.InCustody(feed.County)) {
		people[match.Fold(b.Name.LastFirst())] = b
	}
	return people
}

// became is what should become of what a vendor shows.
func became(shown gallery.Shown, inline bool) string {
	switch {
	case shown == gallery.Portrait:
		return "kept"
	case shown == gallery.Placeholder:
		return "refused placeholder"
	case shown == gallery.Page && inline:
		return "refused web_page"
	case shown == gallery.Page:
		return "wanted web_page"
	}
	return "wanted not_found"
}

// TestTheDemoTakesThePhotographsOfItsPeople reads the three vendors that show photographs and the department's file, and compares
// with the truth.
func TestTheDemoTakesThePhotographsOfItsPeople(t *testing.T) {
	t.Parallel()
	asked := &asks{names: map[string]int{}}
	c := newWorld(t, simulator.Options{Seed: 7, People: 900, Still: true, Rosters: []simulator.Roster{
		{County: "bartow", Shape: simulator.ShapeZuercher}, {County: "glynn", Shape: simulator.ShapeCommonCSV}, {County: "houston", Shape: simulator.ShapeNewWorld},
	}}, asked.before)
	for _, feed := range c.sim.Feeds() {
		if feed.Shape != simulator.ShapeCourtDelta {
			c.read(feed.ID)
		}
	}
	c.takes()

	juveniles, seen := 0, map[string]bool{}
	for _, feed := range c.sim.Feeds() {
		if feed.County == "" {
			continue
		}
		truth := c.truth(feed)
		all, photographed := c.published(feed.ID)
		var want []string
		wantStates := map[string]int{}
		for _, name := range all {
			b, known := truth[name]
			require.True(t, known, name)
			require.False(t, b.Juvenile(), name)
			if b.Photograph == gallery.Portrait {
				want = append(want, name)
			}
			if b.Photograph != gallery.Nothing {
				state := became(b.Photograph, feed.Shape == simulator.ShapeZuercher)
				wantStates[state]++
				seen[state] = true
			}
		}
		require.NotEmpty(t, want, feed.ID)
		require.Equal(t, want, photographed, feed.ID)
		states := map[string]int{}
		for _, state := range c.rows(`select state || coalesce(' ' || reason, '') from photographs where source_id = $1`, sourceID(feed.ID)) {
			states[state]++
		}
		require.Equal(t, wantStates, states, feed.ID)
		for _, b := range truth {
			if b.Juvenile() && b.Photograph != gallery.Nothing {
				juveniles++
				require.Zero(t, asked.names[b.Number+".jpg"], "a juvenile's photograph is never asked for")
			}
		}
	}
	require.Positive(t, juveniles, "some juveniles have photographs")
	require.Subset(t, slices.Collect(maps.Keys(seen)), []string{"kept", "refused placeholder", "wanted web_page", "wanted not_found"})

	t.Log("the department's photographs are kept for comparison")
	var offenders []string
	for _, o := range c.sim.Offenders() {
		if o.Photograph != gallery.Nothing {
			offenders = append(offenders, o.GDC)
		}
	}
	slices.Sort(offenders)
	require.NotEmpty(t, offenders)
	require.Equal(t, offenders, c.rows(`select key from corrections_claims where source_id = $1 and photograph is not null order by key`, sourceID(simulator.ShapeCorrections)))
}

// TestPhotographsLieBesideDroppedFiles drops the files of a jail and of the department with their photographs.
func TestPhotographsLieBesideDroppedFiles(t *testing.T) {
	t.Parallel()
	c := newWorld(t, simulator.Options{Seed: 7, People: 300, Still: true, Rosters: []simulator.Roster{{County: "glynn", Shape: simulator.ShapeCommonCSV}}})
	for _, feed := range c.sim.Feeds() {
		if feed.Shape == simulator.ShapeCourtDelta {
			continue
		}
		folder := t.TempDir()
		file, err := c.sim.Drop(t.Context(), feed.ID, folder)
		require.NoError(t, err)
		require.NoError(t, os.Chtimes(file, c.now, c.now))
		c.sources[feed.ID].Transport = fetch.Spec{Kind: "folder", Folder: folder, Pattern: `\.(csv|txt)$`}
		c.read(feed.ID)
	}
	c.takes()
	all, photographed := c.published("common-csv/glynn")
	truth := c.truth(c.sim.Feeds()[0])
	require.Equal(t, slices.DeleteFunc(all, func(name string) bool { return truth[name].Photograph != gallery.Portrait }), photographed)
	require.NotEmpty(t, photographed)
	require.NotEmpty(t, c.rows(`select key from corrections_claims where photograph is not null`))
	require.Empty(t, c.rows(`select key from photographs where reason = 'other_host'`))
}

// TestShippedDocumentsTakeNoPhotographs reads the vendors that show photographs as they are shipped: with the field, and without a
// reason. Nothing is asked for, nothing is kept, and no table has a word of it.
func TestShippedDocumentsTakeNoPhotographs(t *testing.T) {
	t.Parallel()
	for _, id := range ingest.Shipped() {
		s, err := ingest.Load(id)
		require.NoError(t, err)
		require.False(t, s.Privacy.Taken(), id)
	}
	asked := &asks{names: map[string]int{}}
	c := newWorld(t, simulator.Options{Seed: 7, People: 300, Still: true, Rosters: []simulator.Roster{
		{County: "bartow", Shape: simulator.ShapeZuercher}, {County: "houston", Shape: simulator.ShapeNewWorld},
	}}, asked.before)
	for _, feed := range c.sim.Feeds()[:2] {
		c.sources[feed.ID].Privacy.Photographs = ""
		c.read(feed.ID)
	}
	c.takes()
	for _, feed := range c.sim.Feeds()[:2] {
		all, photographed := c.published(feed.ID)
		require.NotEmpty(t, all)
		require.Empty(t, photographed)
	}
	require.Equal(t, []string{"0"}, c.rows(`select count(*)::text from photographs`))
	for name := range asked.names {
		require.False(t, strings.HasSuffix(name, ".jpg"), name)
	}
	require.Equal(t, []string{"0"}, c.rows(fmt.Sprintf(`select count(*)::text from roster_claims where facts::text ~ '%s'`, `[.]jpg|/9j/`)))
}
