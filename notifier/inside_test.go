package notifier

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/public"
)

// A name that no resolver of the internet will ever know is refused while it is registered, and not at each delivery. Where it
// resolves into a network that the operator opened, it is a receiver like any other.
func TestNamesOfPrivateNetworksThatDoNotResolve(t *testing.T) {
	t.Parallel()
	known := book{"receiver": {"10.1.2.3"}, "receiver.internal": {"10.1.2.3"}}
	for address, taken := range map[string]bool{
		"https://metadata.google.internal/": false, "https://kubernetes.default.svc/": false, "https://kubernetes.default.svc.cluster.local./": false,
		"https://-/": false, "https://intranet/": false, "https://Printer.LOCAL/": false, "https://nas.home.arpa/": false,
		"https://not-yet.example.org/": true, "https://internal.example.org/": true, "https://local.example.com./": true,
	} {
		err := CheckURL(t.Context(), public.New(nil), known, address)
		require.Equal(t, taken, err == nil, "%s: %v", address, err)
	}
	require.ErrorContains(t, CheckURL(t.Context(), public.New(nil), known, "https://nas.lan/"), "use a public host name")
	opened := public.New([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	require.NoError(t, CheckURL(t.Context(), opened, known, "https://receiver/"))
	require.NoError(t, CheckURL(t.Context(), opened, known, "https://receiver.internal/"))
	require.Error(t, CheckURL(t.Context(), public.New(nil), known, "https://receiver.internal/"))
}
