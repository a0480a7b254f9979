package delivery

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestADigestIsDueAtTheNextFullHourOrMorning(t *testing.T) {
	t.Parallel()
	for at, want := range map[string][2]string{
		"2026-03-10T15:20:00Z":      {"2026-03-10T16:00:00Z", "2026-03-11T11:00:00Z"},
		"2026-03-10T16:00:00Z":      {"2026-03-10T17:00:00Z", "2026-03-11T11:00:00Z"},
		"2026-03-10T06:59:59-04:00": {"2026-03-10T11:00:00Z", "2026-03-10T11:00:00Z"},
		"2026-03-10T07:00:00-04:00": {"2026-03-10T12:00:00Z", "2026-03-11T11:00:00Z"},
		"2026-03-07T22:30:00-05:00": {"2026-03-08T04:00:00Z", "2026-03-08T11:00:00Z"}, // the clock goes forward in between
		"2026-10-31T22:30:00-04:00": {"2026-11-01T03:00:00Z", "2026-11-01T12:00:00Z"}, // and back
	} {
		now, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		require.Equal(t, want[0], Due(models.DigestHour, now).Format(time.RFC3339), at)
		require.Equal(t, want[1], Due(models.DigestDay, now).Format(time.RFC3339), at)
		require.Equal(t, now, Due(models.DigestNone, now))
		require.Equal(t, now, Due("", now), "a webhook has none")
	}
}

func TestAnAddressIsPlain(t *testing.T) {
	t.Parallel()
	got, err := parseEmail(" Ann.Doe+x@Example.ORG ")
	require.NoError(t, err)
	require.Equal(t, "mailto:Ann.Doe+x@example.org", got)
	for _, bad := range []string{
		"", "ann", "@example.org", "ann@", "ann@localhost", "ann@[127.0.0.1]", "Ann <ann@example.org>", "a@b.c, d@e.f", `"a b"@example.org`, "ann@example.org\nBcc: x@y.z",
		"änn@example.org", "ann@exämple.org", strings.Repeat("a", 65) + "@example.org", "ann@" + strings.Repeat("a.", 130) + "org",
	} {
		_, err := parseEmail(bad)
		require.Error(t, err, bad)
	}
}
