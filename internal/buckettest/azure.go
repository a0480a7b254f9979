package buckettest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Azure serves one container by the protocol of the Blob service, to requests with a shared access signature.
func Azure(tb testing.TB, container, sig string) *Server {
	tb.Helper()
	return serve(tb, func(s *Server, w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		name, ofBlob := strings.CutPrefix(r.URL.Path, "/"+container+"/")
		switch {
		case query.Get("sig") != sig || r.Header.Get("X-Ms-Version") == "":
			trouble(w, http.StatusForbidden, "AuthenticationFailed")
		case s.Gone.Load():
			trouble(w, http.StatusNotFound, "ContainerNotFound")
		case r.URL.Path == "/"+container && query.Get("comp") == "list" && query.Get("restype") == "container":
			s.azurePage(w, query.Get("prefix"), query.Get("marker"))
		case !ofBlob:
			trouble(w, http.StatusNotFound, "ContainerNotFound")
		default:
			s.azureBlob(w, r, name)
		}
	})
}

// azureBlob answers about one blob.
func (s *Server) azureBlob(w http.ResponseWriter, r *http.Request, name string) {
	switch r.Method {
	case http.MethodPut:
		content, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("X-Ms-Blob-Type") != "BlockBlob" || r.ContentLength != int64(len(content)) {
			trouble(w, http.StatusBadRequest, "InvalidHeaderValue")
			return
		}
		s.Put(name, content)
		w.WriteHeader(http.StatusCreated)
	case http.MethodDelete:
		if !s.remove(name) {
			trouble(w, http.StatusNotFound, "BlobNotFound")
			return
		}
		w.WriteHeader(http.StatusAccepted)
	default:
		o, ok := s.get(name)
		if !ok {
			trouble(w, http.StatusNotFound, "BlobNotFound")
			return
		}
		w.Header().Set("Last-Modified", o.at.Format(http.TimeFormat))
		_, _ = w.Write(o.content)
	}
}

// azurePage is a page of the list.
func (s *Server) azurePage(w http.ResponseWriter, prefix, marker string) {
	names, next := s.after(prefix, marker)
	_, _ = io.WriteString(w, "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>")
	for _, name := range names {
		o, _ := s.get(name)
		_, _ = fmt.Fprintf(w, `<Blob><Name>%s</Name><Properties><Last-Modified>%s</Last-Modified><Content-Length>%d</Content-Length></Properties></Blob>`,
			escaped(name), o.at.In(time.FixedZone("GMT", 0)).Format(time.RFC1123), len(o.content))
	}
	_, _ = fmt.Fprintf(w, `</Blobs><NextMarker>%s</NextMarker></EnumerationResults>`, escaped(next))
}

// trouble is an error of the Blob service.
func trouble(w http.ResponseWriter, status int, code string) {
	w.Header().Set("X-Ms-Error-Code", code)
	w.WriteHeader(status)
}
