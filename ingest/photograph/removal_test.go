package photograph_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestARequestCoversMergedRecordsWhateverBecomesOfThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	rows := make([]string, 4)
	names := []string{"QUILLFEATHER, WREN", "QUILLFEATHER, WREN B", "MOONSAIL, ORLA", "TOLLIVER, ASH"}
	for i, name := range names {
		b.says(fmt.Sprintf("/photos/%d.jpg", i), drawn(uint8(i)))
		rows[i] = row(strconv.Itoa(i), name, fmt.Sprintf("/photos/%d.jpg", i))
	}
	b.reads(s, rows...)
	b.pass()
	id := map[string]string{}
	for _, name := range names {
		id[name] = b.text(`select id from bookings where name = $1`, name)
	}
	shown := func() string {
		b.now = b.now.Add(time.Hour)
		b.reads(s, rows...)
		b.pass()
		list, _ := b.photographs()
		return list
	}
	ask := func(text string) int64 {
		r, err := b.store.AskRemoval(t.Context(), text, b.now.Add(-time.Hour), "desk", "")
		require.NoError(t, err, text)
		return r.ID
	}

	t.Log("a request by the id that went covers both, and still does when the merge is taken back")
	stayed, went := id["QUILLFEATHER, WREN"], id["QUILLFEATHER, WREN B"]
	require.NoError(t, b.store.Merge(t.Context(), models.Roster, stayed, went, "desk"))
	request := ask(" https://records.example.org/v1/roster/" + went + "/mugshot\n")
	require.Equal(t, went, b.text(`select public_id from photograph_removals where id = $1`, request), "as it is, not as it was typed")
	for _, again := range []string{stayed, went} {
		_, err := b.store.AskRemoval(t.Context(), again, b.now, "desk", "")
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
		require.ErrorContains(t, err, fmt.Sprintf("request %d of Mar 9, 2026 is open for %s", request, again))
	}
	require.NoError(t, b.store.DecideRemoval(t.Context(), request, true, "desk"))
	require.NoError(t, b.store.Unmerge(t.Context(), models.Roster, went, "desk", "two people"))
	require.Equal(t, "MOONSAIL, ORLA; TOLLIVER, ASH", shown())

	t.Log("a record that one with a request comes to shows no photograph at once")
	asked := make(chan error)
	for range 8 {
		go func() {
			_, err := b.store.AskRemoval(t.Context(), id["TOLLIVER, ASH"], b.now.Add(-time.Hour), "desk", "")
			asked <- err
		}()
	}
	taken := 0
	for range 8 {
		if err := <-asked; err == nil {
			taken++
		} else {
			require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err), err)
		}
	}
	require.Equal(t, 1, taken, "of requests that come at once one is noted")
	var other int64
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select max(id) from photograph_removals`).Scan(&other))
	require.NoError(t, b.store.Merge(t.Context(), models.Roster, id["MOONSAIL, ORLA"], id["TOLLIVER, ASH"], "desk"))
	now, _ := b.photographs()
	require.Empty(t, now, "nor an address of one")
	require.Empty(t, shown())

	t.Log("what was granted by mistake is declined later, once")
	require.NoError(t, b.store.DecideRemoval(t.Context(), request, false, "desk"))
	require.Contains(t, shown(), "QUILLFEATHER, WREN")
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.DecideRemoval(t.Context(), request, false, "desk")))
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.DecideRemoval(t.Context(), request, true, "desk")))
	require.NoError(t, b.store.DecideRemoval(t.Context(), other, false, "desk"))
	require.Contains(t, shown(), "MOONSAIL, ORLA")
}
