package graph_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
)

// coming are the names of the contract that features to come bring with them. Who adds one takes it off this list.
var coming = map[string][]string{
	"alerts": {
		"EventKind", "MatchLevel", "Verdict", "AlertPage", "Alert", "CreateAlertInput", "UpdateAlertInput", "AlertPreview", "AlertHit",
		"Query.alerts", "Query.alert", "Query.previewAlert", "Mutation.createAlert", "Mutation.updateAlert", "Mutation.deleteAlert", "Mutation.giveFeedback",
		"Subscription", "AlertEvent",
	},
	"webhooks and deliveries": {
		"Webhook", "CreateWebhookInput", "UpdateWebhookInput", "DeliveryState", "DeliveryFilter", "DeliveryPage", "Delivery", "Attempt",
		"ReplayInput", "ReplayResult", "Query.webhooks", "Query.deliveries",
		"Mutation.createWebhook", "Mutation.updateWebhook", "Mutation.deleteWebhook", "Mutation.testWebhook", "Mutation.redeliver", "Mutation.replayDeliveries",
	},
}

// TestSchemaKeepsTheContract compares every name, argument and type with testdata/contract.graphqls, on which clients rely.
func TestSchemaKeepsTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/contract.graphqls")
	require.NoError(t, err)
	contract, err := gqlparser.LoadSchema(&ast.Source{Name: "contract", Input: string(text)})
	require.NoError(t, err)
	ours := generated.NewExecutableSchema(generated.Config{}).Schema()

	var missing, expected []string
	for _, def := range contract.Types {
		if def.BuiltIn {
			continue
		}
		mine := ours.Types[def.Name]
		if mine == nil {
			missing = append(missing, def.Name)
			continue
		}
		require.Equal(t, def.Kind, mine.Kind, def.Name)
		require.Subset(t, mine.Interfaces, def.Interfaces, def.Name)
		for _, v := range def.EnumValues {
			require.NotNil(t, mine.EnumValues.ForName(v.Name), "%s.%s", def.Name, v.Name)
		}
		for _, f := range def.Fields {
			missing = append(missing, absent(t, def.Name, f, mine.Fields.ForName(f.Name))...)
		}
	}
	for _, names := range coming {
		expected = append(expected, names...)
	}
	require.ElementsMatch(t, expected, missing)
}

// absent gives what of a contract's field ours lacks; what both have must be of one type.
func absent(t *testing.T, owner string, theirs, ours *ast.FieldDefinition) []string {
	t.Helper()
	name := owner + "." + theirs.Name
	if ours == nil {
		if strings.HasPrefix(theirs.Name, "__") {
			return nil
		}
		return []string{name}
	}
	require.Equal(t, theirs.Type.String(), ours.Type.String(), name)
	var missing []string
	for _, a := range theirs.Arguments {
		mine := ours.Arguments.ForName(a.Name)
		if mine == nil {
			missing = append(missing, name+"("+a.Name+")")
			continue
		}
		require.Equal(t, a.Type.String(), mine.Type.String(), "%s(%s)", name, a.Name)
	}
	for _, a := range ours.Arguments {
		require.True(t, theirs.Arguments.ForName(a.Name) != nil || !a.Type.NonNull, "%s(%s) is asked of clients that do not know it", name, a.Name)
	}
	return missing
}

func TestEverythingInTheSchemaIsDescribed(t *testing.T) {
	t.Parallel()
	for _, def := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		if def.BuiltIn {
			continue
		}
		require.NotEmpty(t, def.Description, def.Name)
		for _, v := range def.EnumValues {
			require.NotEmpty(t, v.Description, "%s.%s", def.Name, v.Name)
		}
		for _, f := range def.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			require.NotEmpty(t, f.Description, "%s.%s", def.Name, f.Name)
			for _, a := range f.Arguments {
				require.NotEmpty(t, a.Description, "%s.%s(%s)", def.Name, f.Name, a.Name)
			}
		}
	}
}
