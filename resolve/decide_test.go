package resolve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/resolve"
)

var day = time.Date(2026, 2, 1, 6, 0, 0, 0, time.UTC)

func at(hours int) time.Time { return day.Add(time.Duration(hours) * time.Hour) }

func decided(kind resolve.DecisionKind, why models.WithheldReason, hours int) resolve.Decision {
	return resolve.Decision{ID: int64(hours) + 1, Kind: kind, Reason: why, At: at(hours)}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	const juvenile, maybe, vanished = models.WithheldJuvenile, models.WithheldMaybeJuvenile, models.WithheldVanished
	cause := func(rid int64) *resolve.Ref { return &resolve.Ref{Family: models.Roster, Record: rid} }
	held := func(why models.WithheldReason, hours int) resolve.Visibility {
		return resolve.Visibility{Reason: why, Since: at(hours)}
	}
	for name, c := range map[string]struct {
		grounds   resolve.Grounds
		decisions []resolve.Decision
		before    resolve.Visibility
		want      resolve.Visibility
	}{
		"nothing speaks against it":        {},
		"a juvenile":                       {grounds: resolve.Grounds{Own: juvenile}, want: held(juvenile, 9)},
		"a juvenile as before, since then": {grounds: resolve.Grounds{Own: juvenile}, before: held(juvenile, 1), want: held(juvenile, 1)},
		"a restriction comes before all, and nobody lifts it": {
			grounds:   resolve.Grounds{Restricted: true, Vanished: true},
			before:    held(models.WithheldRestricted, 1),
			decisions: []resolve.Decision{decided(resolve.Publish, models.WithheldRestricted, 2), decided(resolve.Withhold, maybe, 2)},
			want:      held(models.WithheldRestricted, 1),
		},
		"a juvenile whose record is restricted withholds others yet": {grounds: resolve.Grounds{Own: juvenile, Restricted: true}, want: held(juvenile, 9)},
		"and so does a doubt": {grounds: resolve.Grounds{Own: maybe, Restricted: true, Vanished: true}, want: held(maybe, 9)},
		"a lifted doubt lifts no restriction": {
			grounds:   resolve.Grounds{Own: maybe, Restricted: true},
			before:    held(maybe, 1),
			decisions: []resolve.Decision{decided(resolve.Publish, maybe, 2)},
			want:      held(models.WithheldRestricted, 9),
		},
		"a restriction that ended waits for a review": {
			grounds: resolve.Grounds{Ended: true},
			before:  held(models.WithheldRestricted, 1),
			want:    held(models.WithheldMaybeRestricted, 9),
		},
		"and is published by one": {
			grounds:   resolve.Grounds{Ended: true},
			before:    held(models.WithheldMaybeRestricted, 1),
			decisions: []resolve.Decision{decided(resolve.Publish, models.WithheldMaybeRestricted, 2)},
			want:      resolve.Visibility{Reason: models.WithheldMaybeRestricted, Since: at(1), Lifted: true},
		},
		"until the source restricts the record again": {
			grounds:   resolve.Grounds{Restricted: true, Ended: true},
			before:    resolve.Visibility{Reason: models.WithheldMaybeRestricted, Since: at(1), Lifted: true},
			decisions: []resolve.Decision{decided(resolve.Publish, models.WithheldMaybeRestricted, 2)},
			want:      held(models.WithheldRestricted, 9),
		},
		"an operator restricts a published record": {
			decisions: []resolve.Decision{decided(resolve.Withhold, models.WithheldRestricted, 2)},
			want:      held(models.WithheldRestricted, 9),
		},
		"vanished comes before a doubt":    {grounds: resolve.Grounds{Own: maybe, Vanished: true}, want: held(vanished, 9)},
		"a juvenile comes before vanished": {grounds: resolve.Grounds{Own: juvenile, Vanished: true}, want: held(juvenile, 9)},
		"a cause in another record": {
			grounds: resolve.Grounds{Causes: []resolve.Cause{{Of: *cause(7)}}},
			want:    resolve.Visibility{Reason: maybe, Because: cause(7), Since: at(9)},
		},
		"a doubt of its own comes before a cause": {grounds: resolve.Grounds{Own: maybe, Causes: []resolve.Cause{{Of: *cause(7)}}}, want: held(maybe, 9)},
		"a lifted doubt": {
			grounds:   resolve.Grounds{Own: maybe},
			before:    held(maybe, 1),
			decisions: []resolve.Decision{decided(resolve.Publish, maybe, 2)},
			want:      resolve.Visibility{Reason: maybe, Since: at(1), Lifted: true},
		},
		"a lift counts for its reason alone": {
			grounds:   resolve.Grounds{Vanished: true},
			before:    held(vanished, 1),
			decisions: []resolve.Decision{decided(resolve.Publish, maybe, 2)},
			want:      held(vanished, 1),
		},
		"a lift does not outlast its ground": {grounds: resolve.Grounds{Vanished: true}, decisions: []resolve.Decision{decided(resolve.Publish, vanished, 2)}, want: held(vanished, 9)},
		"a juvenile can not be lifted": {
			grounds:   resolve.Grounds{Own: juvenile},
			before:    held(juvenile, 1),
			decisions: []resolve.Decision{decided(resolve.Publish, juvenile, 2)},
			want:      held(juvenile, 1),
		},
		"a lift on one account says nothing of another": {
			grounds:   resolve.Grounds{Causes: []resolve.Cause{{Of: *cause(8)}}},
			before:    resolve.Visibility{Reason: maybe, Because: cause(7), Since: at(1), Lifted: true},
			decisions: []resolve.Decision{{Kind: resolve.Publish, Reason: maybe, Because: cause(7), At: at(2)}},
			want:      resolve.Visibility{Reason: maybe, Because: cause(8), Since: at(9)},
		},
		"what an operator keeps hidden outlasts its ground":     {before: held(vanished, 1), decisions: []resolve.Decision{decided(resolve.Withhold, vanished, 2)}, want: held(vanished, 1)},
		"what an operator keeps hidden may be a juvenile's yet": {grounds: resolve.Grounds{Own: juvenile}, decisions: []resolve.Decision{decided(resolve.Withhold, vanished, 2)}, want: held(juvenile, 9)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := resolve.Decide(c.grounds, c.decisions, c.before, at(9))
			require.Equal(t, c.want, got)
			again, _ := resolve.Decide(c.grounds, c.decisions, got, at(10))
			require.Equal(t, got, again, "deciding again changes nothing")
		})
	}
}

func TestALiftedGroundIsKnownFromItsDecision(t *testing.T) {
	t.Parallel()
	since := at(1)
	lift := []resolve.Decision{decided(resolve.Publish, models.WithheldVanished, 2)}
	v := resolve.Before(models.Published, nil, &since, lift)
	require.Equal(t, resolve.Visibility{Reason: models.WithheldVanished, Since: since, Lifted: true}, v)
	require.Equal(t, models.Published, v.Withheld())
	_, spent := resolve.Decide(resolve.Grounds{Vanished: true}, lift, v, at(9))
	require.Empty(t, spent)
	gone, spent := resolve.Decide(resolve.Grounds{}, lift, v, at(9))
	require.Equal(t, resolve.Visibility{}, gone)
	require.Equal(t, []int64{3}, spent, "the ground is gone, and the decision with it")
}

// A record may be doubted on several grounds at once. Each is reviewed by itself.
func TestARecordIsPublishedOnceEachOfItsGroundsIsLifted(t *testing.T) {
	t.Parallel()
	const maybe = models.WithheldMaybeJuvenile
	booking, kase := resolve.Ref{Family: models.Roster, Record: 7}, resolve.Ref{Family: models.Courts, Record: 8}
	lift := func(id int64, because *resolve.Ref, hours int) resolve.Decision {
		return resolve.Decision{ID: id, Kind: resolve.Publish, Reason: maybe, Because: because, At: at(hours)}
	}
	g := resolve.Grounds{Own: maybe}
	v, _ := resolve.Decide(g, nil, resolve.Visibility{}, at(1))
	decisions := []resolve.Decision{lift(1, nil, 2)}
	v, spent := resolve.Decide(g, decisions, v, at(2))
	require.True(t, v.Lifted)
	require.Empty(t, spent)

	g.Causes = []resolve.Cause{{Of: booking, Since: at(3)}, {Of: kase}}
	v, spent = resolve.Decide(g, decisions, v, at(3))
	require.Equal(t, resolve.Visibility{Reason: maybe, Because: &booking, Since: at(3)}, v, "nobody reviewed that booking")
	require.Empty(t, spent, "the first decision stands")
	decisions = append(decisions, lift(2, &booking, 4))
	v, spent = resolve.Decide(g, decisions, v, at(4))
	require.Equal(t, resolve.Visibility{Reason: maybe, Because: &kase, Since: at(4)}, v, "nor that case")
	require.Empty(t, spent)
	decisions = append(decisions, lift(3, &kase, 5))
	v, spent = resolve.Decide(g, decisions, v, at(5))
	require.True(t, v.Lifted, "all of them are reviewed")
	require.Empty(t, spent)
	again, _ := resolve.Decide(g, decisions, v, at(6))
	require.Equal(t, v, again)

	g.Causes[0].Since = at(7) // the other booking is withheld for more than when it was reviewed
	v, spent = resolve.Decide(g, decisions, v, at(7))
	require.Equal(t, booking, *v.Because)
	require.False(t, v.Lifted)
	require.Equal(t, []int64{2}, spent)
}
