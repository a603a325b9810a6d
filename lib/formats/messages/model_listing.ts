import { listedModel, listIn, type ModelListing, modelPage } from "../models/listing.ts";
import { countOf, objectOf, objectsOf, textOf } from "../wire_value.ts";

const pageRows = 1_000;

/** Pages addressed by the last model of the previous page. */
export const modelListing: ModelListing = {
  path: (next) =>
    `/v1/models?limit=${pageRows}${
      next === undefined ? "" : `&after_id=${encodeURIComponent(next)}`
    }`,
  decode(body) {
    const { data, has_more, last_id } = objectOf(body);
    const models = objectsOf(listIn(data)).map((row) =>
      listedModel({
        id: textOf(row.id),
        displayName: textOf(row.display_name),
        contextWindow: countOf(row.max_input_tokens),
        maxOutputTokens: countOf(row.max_tokens),
      })
    );
    return modelPage(models, has_more === true && last_id);
  },
};
