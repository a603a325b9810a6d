import type { CredentialSource } from "../../../lib/upstreams/credentials/mod.ts";
import type { SourceObject } from "../source_object.ts";
import type { Variables } from "./config_file.ts";
import type { DeploymentAddress } from "./providers.ts";

/** Absent without need for a key. */
export interface SignIn {
  /** A key, or a credential source as JSON. */
  readonly credential?: string;
  /** The missing part: the upstream is then created disabled. */
  readonly lacks?: string;
}

/** The place of a deployment: an address and a model there. */
export interface Place {
  /** The beginning of the upstream's name. */
  readonly provider: string;
  readonly address: DeploymentAddress;
  /** The upstream's own name of the model. */
  readonly model: string;
  readonly signIn: SignIn;
}

/** The fields of a deployment in a cloud. */
export class CloudFields {
  constructor(
    readonly params: SourceObject,
    readonly info: SourceObject,
    readonly variables: Variables,
  ) {}

  /** A parameter, or else the first of these variables that is set. */
  value(field: string, ...names: readonly string[]): string | undefined {
    const own = this.params.text(field);
    if (own === undefined) return names.map((name) => this.variables.get(name)).find((one) => one);
    const { value } = this.variables.resolve(own);
    return value ?? this.params.unknown(field, "its variable is not set");
  }

  /** The first of several spellings of a parameter. */
  either(fields: readonly string[], ...names: readonly string[]): string | undefined {
    return fields.map((field) => this.value(field)).find((one) => one) ??
      names.map((name) => this.variables.get(name)).find((one) => one);
  }

  /** Says of each of these parameters that is given why it is left out. */
  leave(fields: readonly string[], why: string): void {
    for (const field of fields) if (field in this.params.fields) this.params.unknown(field, why);
  }
}

/** The identity of the gateway's machine, which an imported upstream may use if the file allows it. */
export function machineSignIn(source: CredentialSource): SignIn {
  return {
    credential: sourceText(source),
    lacks: "its machine signs in, which needs allowMachineIdentity in the configuration file",
  };
}

/** A credential source as the upstream stores it. */
export function sourceText(source: CredentialSource): string {
  return JSON.stringify(source);
}
