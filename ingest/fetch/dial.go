package fetch

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"rollcall/internal/public"
)

// transport returns what asks the hosts of a source. Unless the source document says otherwise it dials only public addresses,
// and those that the document writes as numbers: a name that leads into the operator's network is not asked. It takes no proxy
// from the environment, as a proxy would dial instead.
func (s *Spec) transport() *http.Transport {
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	if !s.Private && !s.Proxy {
		dialer.Control = s.public()
	}
	t := &http.Transport{
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   30 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   2,
		ForceAttemptHTTP2:     true,
	}
	if s.Proxy {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}

// public returns the check of every address that is dialled, after its name was resolved. So a name that changes its address
// between two requests is found too.
func (s *Spec) public() func(network, address string, c syscall.RawConn) error {
	var opened []netip.Prefix
	for _, host := range s.allowed() {
		for _, a := range written(host) {
			opened = append(opened, netip.PrefixFrom(a, a.BitLen()))
		}
	}
	guard := public.New(opened)
	return func(network, address string, c syscall.RawConn) error {
		if err := guard.Control(network, address, c); err != nil {
			return fmt.Errorf("its name leads to an address that is not public; transport.private allows it: %w", err)
		}
		return nil
	}
}

// written returns the addresses that a host states by itself: a number, or this machine.
func written(host string) []netip.Addr {
	name := (&url.URL{Host: host}).Hostname()
	if name == "localhost" {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	if a, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{a.Unmap()}
	}
	return nil
}
