package auth

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks whose word about the client's address is taken. None trusts nobody.
type Proxies []netip.Prefix

// Client gives the address that a request comes from: that of the connection, or, when it is a trusted proxy's, the
// rightmost address in X-Forwarded-For or Forwarded (RFC 7239) that is not one. It is not valid for connections without
// an address, such as Unix sockets.
func (p Proxies) Client(r *http.Request) netip.Addr {
	conn, ok := parseHost(r.RemoteAddr)
	if !ok || !p.trusts(conn) {
		return conn
	}
	legacy, standard := r.Header["X-Forwarded-For"], r.Header["Forwarded"]
	switch {
	case len(standard) == 0:
		return p.walk(conn, legacy, parseHost)
	case len(legacy) == 0:
		return p.walk(conn, standard, parseForwarded)
	}
	// A proxy writes one of the two and may hand on the other as the client made it up: unless they agree, neither counts.
	if a := p.walk(conn, legacy, parseHost); a == p.walk(conn, standard, parseForwarded) {
		return a
	}
	return conn
}

// walk goes from the connection towards the client until it meets an address that it does not trust, or no address.
func (p Proxies) walk(conn netip.Addr, lines []string, parse func(string) (netip.Addr, bool)) netip.Addr {
	hops := strings.Split(strings.Join(lines, ","), ",")
	at := conn
	for _, hop := range slices.Backward(hops) {
		addr, ok := parse(strings.TrimSpace(hop))
		if !ok {
			return at
		}
		if at = addr; !p.trusts(addr) {
			return at
		}
	}
	return at
}

// trusts reports whether a is a proxy of ours, whose X-Forwarded-For is believed.
func (p Proxies) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

// parseForwarded reads for= of one element of Forwarded, such as for="[2001:db8::1]:4711";proto=https.
func parseForwarded(element string) (netip.Addr, bool) {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(pair, "=")
		if strings.EqualFold(strings.TrimSpace(name), "for") {
			return parseHost(strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return netip.Addr{}, false
}

// parseHost reads an address with or without port and brackets.
func parseHost(s string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return a.Unmap().WithZone(""), err == nil
}

// network is what one client may be assumed to hold: an IPv4 address, or a /64 of IPv6.
func network(a netip.Addr) netip.Addr {
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}
