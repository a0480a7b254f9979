package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"rollcall/web/page"
)

// Playground is what the page to try queries on loads, by address and in this order.
type Playground struct{ Styles, Scripts []string }

// Playground returns the handler of the page to try queries on, with the head and the menu of all pages. It holds no records, so
// anybody may read it. An error means that the binary was built wrong.
func (s *Site) Playground(files Playground) (http.Handler, error) {
	compressed, err := page.Compressed()
	if err != nil {
		return nil, err
	}
	show := s.manualPage("playground", page.View{Title: "GraphQL playground", Body: files})
	return chi.Chain(compressed, s.Guard, s.Form).HandlerFunc(show), nil
}
