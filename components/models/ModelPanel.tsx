import { type ModelQuery, modelsPath } from "../../lib/console/models/model_list.ts";
import type { ModelList } from "../../lib/console/models/read_model_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { ModelFilters } from "./ModelFilters.tsx";
import { ModelTable } from "./ModelTable.tsx";
import { A } from "../A.tsx";
import { Pager } from "../Pager.tsx";
import { Panel } from "../Panel.tsx";
import { Empty } from "../States.tsx";

export interface ModelPanelProps {
  readonly view: Pick<AccountView, "catalog" | "formats" | "locale">;
  readonly query: ModelQuery;
  readonly list: ModelList;
  /** Links each model to its page. */
  readonly linked?: boolean;
  /** Set if the reader may price models that have no price. */
  readonly setsPrices?: boolean;
}

/** The models that match a query, or an empty state. */
export function ModelPanel(props: ModelPanelProps) {
  const { view: { catalog: { models, modelList: texts } }, query, list } = props;
  const { found, total, rows, hasMore } = list;
  return (
    <Panel
      id="models"
      title={found === total ? models.count(total) : texts.countOf(found, total)}
      end={<span class="faint">{texts.perMillion}</span>}
    >
      {total > 0 && <ModelFilters {...props} />}
      {total === 0
        ? <Empty icon="tags" title={models.empty} text={models.emptyText} />
        : rows.length === 0
        ? (
          <Empty icon="search" title={models.noMatch}>
            <A class="button" href={query.path}>{texts.clear}</A>
          </Empty>
        )
        : <ModelTable {...props} />}
      <Pager
        texts={{ pages: texts.pages, newest: texts.first, older: texts.next }}
        newest={query.page > 1 ? modelsPath({ ...query, page: 1 }) : undefined}
        older={hasMore ? modelsPath({ ...query, page: query.page + 1 }) : undefined}
      />
    </Panel>
  );
}
