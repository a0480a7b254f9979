package claim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// twoIDs are a prison's records of one person under two ids, 1000412 and 1000999, merged by an operator; tell has the
// prison tell of them anew, each hour. A row is an id, an institution and why it is withheld.
func twoIDs(t *testing.T) (b *records, tell func(complete bool, rows ...string) snapshot.Applied) {
	t.Helper()
	b, tell = prison(t)
	tell(true, "1000412 LEE", "1000999 HAYS")
	b.Now = b.Now.Add(90 * time.Minute)
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000412", "1000999"))
	return b, tell
}

// prison is twoIDs before anything was reported or merged.
func prison(t *testing.T) (b *records, tell func(complete bool, rows ...string) snapshot.Applied) {
	t.Helper()
	b, hour := withRecords(t), 0
	tell = func(complete bool, rows ...string) snapshot.Applied {
		t.Helper()
		hour++
		at := b.Now.Add(time.Duration(hour) * time.Hour)
		var told []*snapshot.CorrectionsRow
		for _, row := range rows {
			w := strings.Fields(row)
			o := modelstest.Offender(w[1], "incarcerated", models.WithheldReason(strings.Join(w[2:], " ")), at)
			o.GDCID = w[0]
			o.Fingerprint = append(o.Fingerprint, w[0]...)
			told = append(told, o)
		}
		r := b.Reconciler(t, "prison", at, complete)
		a, _, err := b.Store.ReconcileCorrections(b.Ctx, r, modelstest.Each(told))
		require.NoError(t, err)
		return a
	}
	return b, tell
}

// offenderShown is what either id of twoIDs gives.
func (b *records) offenderShown(t *testing.T) string {
	t.Helper()
	shown := map[string]bool{}
	for _, id := range []string{"1000412", "1000999"} {
		o, err := b.Store.CorrectionsByGdcID(b.Ctx, id)
		if models.CodeOf(err) == models.CodeNotFound {
			shown["nobody"] = true
			continue
		}
		require.NoError(t, err)
		shown[o.GdcID+" "+*o.Institution] = true
	}
	page, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	for _, o := range page.Records {
		shown[o.GdcID+" "+*o.Institution] = true
	}
	var all []string
	for s := range shown {
		all = append(all, s)
	}
	require.Len(t, all, 1, "both ids and the list agree")
	return all[0]
}

func TestWhatTheDepartmentTellsUnderEitherIdOfAMergedRecordIsSaidOfTheOneThatStayed(t *testing.T) {
	t.Parallel()
	b, tell := twoIDs(t)
	for range 2 {
		a := tell(true, "1000412 LEE", "1000999 HAYS")
		require.Equal(t, []int{0, 0, 2, 0}, []int{a.New, a.Changed, a.Unchanged, a.Missing})
		require.Equal(t, "1000412 LEE", b.offenderShown(t))
	}
	a := tell(true, "1000999 MACON", "1000412 LEE")
	require.Equal(t, []int{0, 2}, []int{a.Changed, a.Unchanged})
	require.Equal(t, "1000412 LEE", b.offenderShown(t), "the own id rules while it is listed")

	t.Log("a file that proves nobody's absence may have lost the own id")
	require.Zero(t, tell(false, "1000999 MACON").Changed)
	require.Equal(t, "1000412 LEE", b.offenderShown(t))

	t.Log("the own id is gone: the other one leads, also in files that prove nothing, until the own one is back")
	for _, complete := range []bool{true, true, false} {
		require.Zero(t, tell(complete, "1000999 MACON").Missing)
		require.Equal(t, "1000412 MACON", b.offenderShown(t))
	}
	require.Equal(t, 1, tell(false, "1000999 WARE").Changed)
	require.Equal(t, "1000412 WARE", b.offenderShown(t))
	tell(false, "1000412 LEE", "1000999 WARE")
	require.Equal(t, "1000412 LEE", b.offenderShown(t))
	require.Zero(t, tell(false, "1000999 WARE").Changed)
	require.Equal(t, "1000412 LEE", b.offenderShown(t))
	require.Equal(t, []string{
		"merged: - -> 1000999", "institution: LEE -> MACON", "institution: MACON -> WARE", "institution: WARE -> LEE",
	}, modelstest.Lines(b.History(t, models.Corrections, "1000412")), "one version of each change")

	t.Log("who is gone under both ids vanishes, and is back under either")
	require.Equal(t, 1, tell(true).Missing)
	require.Equal(t, "nobody", b.offenderShown(t))
	tell(false, "1000999 WARE")
	require.Equal(t, "1000412 WARE", b.offenderShown(t))
	var into string
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select k.gdc_id from merges m join corrections_records g on g.cid = m.gone join corrections_records k on k.cid = g.merged_into
 where m.family = 'corrections' and g.gdc_id = '1000999' and g.withheld is null`).Scan(&into))
	require.Equal(t, "1000412", into)
}

func TestWhoMayNotBeShownUnderAMergedIdIsNotShown(t *testing.T) {
	t.Parallel()
	for name, own := range map[string][]string{"the own id as before": {"1000412 LEE"}, "the own id changed": {"1000412 MACON"}, "the own id not listed": nil} {
		for _, complete := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b, tell := twoIDs(t)
				a := tell(complete, append(own, "1000999 HAYS juvenile")...)
				require.Equal(t, 1, a.Withheld)
				require.Equal(t, "nobody", b.offenderShown(t))
				tell(complete, "1000412 LEE", "1000999 HAYS juvenile")
				require.Equal(t, "nobody", b.offenderShown(t))
			})
		}
	}
}

func TestAReviewOfEitherIdOutlastsTheMerge(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"1000412", "1000999"} {
		b, tell := prison(t)
		rows := []string{"1000412 LEE", "1000999 HAYS"}
		for i := range rows {
			if strings.HasPrefix(rows[i], id) {
				rows[i] += " " + string(models.WithheldMaybeJuvenile)
			}
		}
		tell(true, rows...)
		b.Now = b.Now.Add(90 * time.Minute)
		require.NoError(t, b.Store.Review(b.Ctx, id, models.ReviewLifted, "test", "of age"))
		require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000412", "1000999"))
		for range 2 {
			require.Equal(t, "1000412 LEE", b.offenderShown(t))
			tell(true, rows...)
			require.Equal(t, "1000412 LEE", b.offenderShown(t))
		}
	}
}

func TestOfSeveralIdsThatWentTheOneMergedLastLeads(t *testing.T) {
	t.Parallel()
	b, tell := twoIDs(t)
	tell(true, "1000412 LEE", "1000999 HAYS", "1000555 WARE")
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000412", "1000555"))
	b.Now = b.Now.Add(time.Hour)
	require.Equal(t, []int{1, 1}, func(a snapshot.Applied) []int { return []int{a.Changed, a.Unchanged} }(tell(true, "1000999 HAYS", "1000555 WARE")))
	require.Equal(t, 2, tell(true, "1000555 WARE", "1000999 HAYS").Unchanged)
	require.Equal(t, "1000412 WARE", b.offenderShown(t))
	tell(true, "1000999 HAYS")
	require.Equal(t, "1000412 HAYS", b.offenderShown(t))
}
