package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestABondWithoutAnAmountSaysWhy(t *testing.T) {
	t.Parallel()
	charged := func(kind models.BondKind, text string) []*models.BookingCharge {
		return []*models.BookingCharge{{}, {BondKind: &kind, BondText: &text}}
	}
	for _, c := range []struct {
		kind models.BondKind
		text string
		want models.BondCase
	}{
		{models.BondNone, "** NOT READY ** No Bond *** HOLDS ***", models.BondRefused},
		{models.BondNone, "NON-BONDABLE", models.BondRefused},
		{models.BondNone, "Denied", models.BondRefused},
		{models.BondHeld, "NO BOND, ICE", models.BondRefused},
		{models.BondNone, "Held without bond", models.BondRefused},
		{models.BondNone, "No Bail", models.BondRefused},
		{models.BondNone, "Bond revoked", models.BondRefused},
		{models.BondNone, "No Amount Set", models.BondUnset},
		{models.BondNone, "Not set", models.BondUnset},
		{models.BondNone, "0.00", models.BondUnset},
		{models.BondSurety, "Surety; no bond on 8/18", models.BondNotStated},
		{models.BondHeld, "HOLD", models.BondNotStated},
	} {
		require.Equal(t, models.Bond{Case: c.want}, models.BondOf(nil, charged(c.kind, c.text)), c.text)
		cents := int64(50_000)
		require.Equal(t, models.Bond{Cents: &cents}, models.BondOf(&cents, charged(c.kind, c.text)), "another charge has one")
	}
	both := append(charged(models.BondNone, "No Amount Set"), charged(models.BondNone, "No Bond")...)
	require.Equal(t, models.BondRefused, models.BondOf(nil, both).Case, "one charge without a bond holds the person")
	require.Equal(t, models.BondNotStated, models.BondOf(nil, nil).Case)
	require.Equal(t, models.Bond{Cents: new(int64(0))}, models.BondOf(new(int64(0)), nil), "an amount of zero is one")
}

func TestAReleaseThatNobodyReportedIsNoFact(t *testing.T) {
	t.Parallel()
	b := &models.Booking{}
	require.Nil(t, b.Release())
	require.Nil(t, b.ReleaseBasis())
	b.ReleaseDate = &b.FirstSeen
	require.Equal(t, models.ReleaseReported, b.Release().Basis)
	b.ReleaseInferred = true
	require.Equal(t, models.ReleaseUntimed, b.Release().Basis)
	b.ReleaseAbsent = true
	require.Equal(t, models.ReleaseAbsent, *b.ReleaseBasis())
}
