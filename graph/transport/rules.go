package transport

import (
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// enough are as many mistakes of a document as are returned. The panic with it ends the validation: an unknown name is
// compared with all that it could mean, and nobody reads about the 21st.
type enough gqlerror.List

// fewMistakes returns the rules of validation for one document.
func fewMistakes() *rules.Rules {
	all := rules.NewDefaultRules()
	var found enough
	for name, rule := range all.GetInner() {
		all.ReplaceRule(name, func(observers *core.Events, add core.AddErrFunc) {
			rule(observers, func(options ...core.ErrorOption) {
				add(options...)
				mistake := &gqlerror.Error{Rule: name}
				for _, o := range options {
					o(mistake)
				}
				errcode.Set(mistake, errcode.ValidationFailed)
				if found = append(found, mistake); len(found) == shownErrors {
					panic(found)
				}
			})
		})
	}
	return all
}

// mistakes puts what ended a validation into errs. It is deferred.
func mistakes(errs *gqlerror.List) {
	switch why := recover().(type) {
	case nil:
	case enough:
		*errs = gqlerror.List(why)
	default:
		panic(why)
	}
}
